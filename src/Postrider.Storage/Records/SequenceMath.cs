namespace Postrider.Storage.Records;

/// <summary>Arithmetic on sequences chosen by clients: it saturates at the highest sequence instead of wrapping around.</summary>
internal static class SequenceMath
{
    /// <summary>The highest sequence that a message can have. One less than 64 bits can hold, so that the one after it exists.</summary>
    public const ulong Max = ulong.MaxValue - 1;

    /// <summary>A sequence plus a distance.</summary>
    /// <param name="sequence">Any value.</param>
    /// <param name="distance">Any value.</param>
    /// <returns>The sum, or <see cref="ulong.MaxValue"/> if it would overflow.</returns>
    public static ulong Add(ulong sequence, ulong distance) => distance > ulong.MaxValue - sequence ? ulong.MaxValue : sequence + distance;
}
