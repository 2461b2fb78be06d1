using System.Globalization;

namespace Postrider.Storage;

/// <summary>Bytes of a block that hold no intact record.</summary>
/// <param name="Block">Number of the block.</param>
/// <param name="Offset">Where they begin in the block.</param>
/// <param name="Length">How many; at the end of the newest block this is a write that was cut short.</param>
/// <param name="LostFirst">The first sequence that may have been there; 0 when none is missing.</param>
/// <param name="LostLast">The last one.</param>
/// <param name="Problem">What is wrong, where it is not some bytes of a block.</param>
internal sealed record DamagedRange(uint Block, long Offset, long Length, ulong LostFirst, ulong LostLast, string? Problem = null)
{
    /// <summary>For people: what is wrong and what it costs.</summary>
    public string Describe()
    {
        var lost = LostFirst != 0
            ? LostFirst == LostLast ? string.Create(CultureInfo.InvariantCulture, $"message {LostFirst} is lost") : string.Create(CultureInfo.InvariantCulture, $"messages {LostFirst} to {LostLast} are lost")
            : Problem is null ? "no message is lost" : "is lost";
        var problem = Problem ?? string.Create(CultureInfo.InvariantCulture, $"{Length} bytes of block {Block:x8} at {Offset} are damaged");
        return LostFirst == 0 && Problem is not null ? $"{problem} {lost}" : $"{problem}: {lost}";
    }

    /// <summary>Whether messages are lost.</summary>
    public bool IsLoss => LostFirst != 0 || Problem is not null;
}
