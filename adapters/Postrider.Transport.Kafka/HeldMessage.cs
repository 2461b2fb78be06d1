namespace Postrider.Transport.Kafka;

/// <summary>A message of a <see cref="HeldPartition"/>, which alone changes it.</summary>
/// <param name="offset">Its offset in the log.</param>
/// <param name="epoch">How often the log had been recreated when it was read.</param>
internal sealed class HeldMessage(long offset, int epoch)
{
    internal long Offset => offset;

    internal int Epoch => epoch;

    internal bool IsDone { get; set; }
}
