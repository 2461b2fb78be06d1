// Hot path: MessageContext, OutgoingProperties -> this. Allocations: none; Next the text.
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Postrider;

/// <summary>Creates ids of messages: 32 hexadecimal digits, of which each thread's first 16 are random and the others count.</summary>
/// <remarks>A Guid of version 7 asks for random bits and the time for each id, which takes longer than to send a message within the
/// process. Thread-safe.</remarks>
internal static class MessageIds
{
    [ThreadStatic]
    private static ulong t_prefix;

    [ThreadStatic]
    private static ulong t_count;

    public static string Next() => NextNumber().ToString();

    /// <summary>The next id, whose text is created when it is needed.</summary>
    public static MessageNumber NextNumber()
    {
        if (t_prefix == 0)
            Begin();
        return new(t_prefix, ++t_count);
    }

    // The count starts at a random number, so that an id does not reveal how many there were.
    private static void Begin()
    {
        Span<ulong> random = stackalloc ulong[2];
        do
            RandomNumberGenerator.Fill(MemoryMarshal.AsBytes(random));
        while (random[0] == 0);
        (t_prefix, t_count) = (random[0], random[1]);
    }
}
