namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The memory that the ids in the duplicate windows of an account's streams may take.</summary>
/// <remarks>Thread-safe. Units: bytes.</remarks>
/// <param name="max">The maximum.</param>
internal sealed class IdMemory(long max)
{
    private long _bytes;

    /// <summary>The memory in use.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>Whether further ids may be added. Streams that ask at the same time may exceed the maximum by the ids of the messages that they store then.</summary>
    public bool HasRoom(long bytes) => Bytes + bytes <= max;

    /// <summary>Counts memory, or what is returned of it.</summary>
    public void Take(long bytes) => Interlocked.Add(ref _bytes, bytes);
}
