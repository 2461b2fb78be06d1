// Hot path: MessageContext, OutgoingProperties -> this. Allocations: the text.
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Postrider;

/// <summary>Creates ids of messages: 32 hexadecimal digits, of which each thread's first 16 are random and the others count.</summary>
/// <remarks>A Guid of version 7 asks for random bits and the time for each id, which takes longer than to send a message within the
/// process. Thread-safe.</remarks>
internal static class MessageIds
{
    private const int Length = 32;

    [ThreadStatic]
    private static ulong t_prefix;

    [ThreadStatic]
    private static ulong t_count;

    public static string Next()
    {
        if (t_prefix == 0)
            Begin();
        return string.Create(Length, (t_prefix, ++t_count), static (digits, id) =>
        {
            id.Item1.TryFormat(digits, out _, "x16");
            id.Item2.TryFormat(digits[(Length / 2)..], out _, "x16");
        });
    }

    // The count begins anywhere, so that an id tells nothing of how many there were.
    private static void Begin()
    {
        Span<ulong> random = stackalloc ulong[2];
        do
            RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(random));
        while (random[0] == 0);
        (t_prefix, t_count) = (random[0], random[1]);
    }
}
