// Hot path: OutgoingProperties -> this -> MessageProperties. Allocations: none; ToString the text.
namespace Postrider;

/// <summary>An id before it becomes text: 128 bits, of which a thread's first 64 are random and the others count.</summary>
/// <param name="Prefix">The thread's; 0 for no id.</param>
/// <param name="Count">The number in the thread.</param>
internal readonly record struct MessageNumber(ulong Prefix, ulong Count)
{
    private const int Length = 32;

    /// <summary>Whether there is no id.</summary>
    internal bool IsNone => Prefix == 0;

    /// <summary>32 hexadecimal digits.</summary>
    public override string ToString()
        => string.Create(Length, this, static (digits, id) =>
        {
            id.Prefix.TryFormat(digits, out _, "x16");
            id.Count.TryFormat(digits[(Length / 2)..], out _, "x16");
        });
}
