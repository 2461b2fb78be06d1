namespace Postrider.Storage.Records;

/// <summary>Arithmetic on sequences that clients choose: it ends at the highest sequence instead of beginning again at 0.</summary>
internal static class SequenceMath
{
    /// <summary>The highest sequence a message can have. One less than what 64 bits hold, so that the one behind it exists.</summary>
    public const ulong Max = ulong.MaxValue - 1;

    /// <summary>A sequence plus a distance.</summary>
    /// <param name="sequence">Any value.</param>
    /// <param name="distance">Any value.</param>
    /// <returns>The sum, or <see cref="ulong.MaxValue"/> where it would be more.</returns>
    public static ulong Add(ulong sequence, ulong distance) => distance > ulong.MaxValue - sequence ? ulong.MaxValue : sequence + distance;
}
