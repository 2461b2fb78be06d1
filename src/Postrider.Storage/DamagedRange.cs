using System.Globalization;

namespace Postrider.Storage;

/// <summary>Bytes of a block that contain no intact record.</summary>
/// <param name="Block">Number of the block.</param>
/// <param name="Offset">Their offset in the block.</param>
/// <param name="Length">Their number; at the end of the newest block this is a write that was cut short.</param>
/// <param name="LostFirst">The first sequence that may be lost; 0 when none is.</param>
/// <param name="LostLast">The last one.</param>
/// <param name="Problem">The problem, if it is not damaged bytes of a block.</param>
internal sealed record DamagedRange(uint Block, long Offset, long Length, ulong LostFirst, ulong LostLast, string? Problem = null)
{
    /// <summary>A description for operators: the damage and the loss.</summary>
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
