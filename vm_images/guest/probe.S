/* The probe that counters are measured with: retires a number of user instructions that is known to the digit.
 *
 *     probe N        N a decimal number of at least 1, below 2^63
 *
 * reads N from its argument, goes N times round a loop of two instructions, and exits with 0.  How many
 * instructions that is, is said (and tested) in evaluate/counters/probe.py: change both together.
 * No library, no stack use, no page touched but its own: nothing else of the process runs in user mode.
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
