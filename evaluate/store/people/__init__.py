"""Teams, their logins, uploads and mail, and what each request was answered."""
