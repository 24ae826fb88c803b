// Resumable uploads by tus 1.0; without JavaScript, the plain form uploads without resuming.
"use strict";
const CHUNK = 8 * 1024 * 1024, TRIES = 8;
const form = document.querySelector("form[data-upload]");
if (form) {
  const status = form.querySelector("[data-status]"), bar = form.querySelector("progress");
  const encoded = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const say = (text) => { status.textContent = text; };
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const headers = (more) => ({ "Tus-Resumable": "1.0.0", ...more });
  const reason = async (answer) => {
    try { return (await answer.json()).detail; } catch (e) { return `the server answered ${answer.status}`; }
  };
  const begin = async (file, team) => {
    const metadata = [["filename", file.name], ["challenge", form.dataset.upload], ["team", team]];
    const answer = await fetch("/uploads", {
      method: "POST",
      headers: headers({
        "Upload-Length": String(file.size),
        "Upload-Metadata": metadata.map(([key, value]) => `${key} ${encoded(value)}`).join(","),
      }),
    });
    if (answer.status !== 201) throw new Error(await reason(answer));
    return answer.headers.get("Location");
  };
  const send = async (file, team) => {
    // the same file of the same team resumes
    const key = ["upload", form.dataset.upload, team, file.name, file.size, file.lastModified].join("|");
    let place = localStorage.getItem(key), at = null, failed = 0;
    while (at === null || at < file.size) {
      try {
        if (at === null && place) {
          const head = await fetch(place, { method: "HEAD", headers: headers({}) });
          if (head.ok) at = Number(head.headers.get("Upload-Offset"));
          else if (head.status < 500) place = null;
          else throw new TypeError("busy");
          if (at === file.size) break;
        }
        if (!place) { place = await begin(file, team); localStorage.setItem(key, place); at = 0; }
        const answer = await fetch(place, {
          method: "PATCH",
          headers: headers({ "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(at) }),
          body: file.slice(at, at + CHUNK),
        });
        if (answer.status === 204) {
          at = Number(answer.headers.get("Upload-Offset"));
          failed = 0;
          bar.value = at / file.size;
          say(`${Math.floor((100 * at) / file.size)} % of ${(file.size / 1048576).toFixed(1)} MiB`);
        } else if ([409, 423, 429, 502, 503, 504, 507].includes(answer.status)) {
          throw new TypeError("again");
        } else {
          localStorage.removeItem(key);
          throw new Error(await reason(answer));
        }
      } catch (e) {
        if (!(e instanceof TypeError) || ++failed > TRIES) throw e instanceof TypeError
          ? new Error("the connection was lost; choose the same file again, and the upload resumes") : e;
        at = null;
        say("the connection dropped; retrying …");
        await wait(500 * 2 ** failed);
      }
    }
    localStorage.removeItem(key);
    return place;
  };
  form.addEventListener("submit", async (event) => {
    const file = form.elements.file.files[0];
    if (!file) return;
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    bar.hidden = false;
    say("starting …");
    try {
      const team = form.elements.team ? form.elements.team.value : "";
      location.assign(await send(file, team));
    } catch (e) {
      say(e.message);
      button.disabled = false;
    }
  });
}
