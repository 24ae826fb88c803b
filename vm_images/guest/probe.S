/* The probe that counters are checked against: it retires an exactly known number of user instructions.
 *
 *     probe N        N a decimal number of at least 1, below 2^63
 *
 * reads N from its argument, runs a loop of two instructions N times, and exits with 0.  The number of
 * instructions is stated (and tested) in evaluate/counters/base.py: change both together.
 * It uses no library, no stack and only its own pages: nothing else of the process runs in user mode.
 */
        .globl  _start
_start:
        mov     16(%rsp), %rsi          /* argv[1] */
        xor     %eax, %eax              /* the number so far */
        xor     %ecx, %ecx
digit:
        movb    (%rsi), %cl             /* seven instructions for each digit, */
        test    %cl, %cl
        jz      loop                    /* three for the end of the string    */
        imul    $10, %rax, %rax
        lea     -48(%rax,%rcx), %rax
        inc     %rsi
        jmp     digit
loop:
        dec     %rax                    /* two instructions for each round */
        jnz     loop

        mov     $60, %eax               /* exit(0): three instructions */
        xor     %edi, %edi
        syscall
        .section .note.GNU-stack, "", @progbits
