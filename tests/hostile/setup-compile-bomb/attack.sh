printf 'char a[1UL << 34] = {1};\nint main(void) { return a[0]; }\n' >bomb.c
exec gcc -o bomb bomb.c
