namespace Postrider.Storage.Records;

/// <summary>Consecutive sequences.</summary>
/// <param name="First">The first.</param>
/// <param name="Last">The last, inclusive.</param>
internal readonly record struct SequenceRange(ulong First, ulong Last);
