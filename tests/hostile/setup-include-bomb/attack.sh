printf '#include "bomb.h"\n#include "bomb.h"\n' >bomb.h
exec gcc -E -o bomb.i bomb.h
