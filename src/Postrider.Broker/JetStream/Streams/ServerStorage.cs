using System.Runtime.CompilerServices;
using Microsoft.Extensions.Logging;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The storage that all streams of a server use, and its limits.</summary>
/// <remarks>Thread-safe. Units: bytes.</remarks>
internal sealed class ServerStorage
{
    // Every publish to a full store is rejected: the log names the limit once per interval.
    private static readonly TimeSpan FullNoteInterval = TimeSpan.FromMinutes(1);

    // Some 15 million ids of 36 bytes: 130,000 a second in the usual window of two minutes.
    private const long MostDuplicateIdBytes = 1L << 30;

    private readonly Clock _clock;
    private readonly ILogger _logger;
    private long _maxMemoryBytes;
    private long _maxStoreBytes;
    private long _memoryBytes;
    private long _storeBytes;
    private long _noteFullAt;

    /// <summary>Takes the limits from the options, or three quarters of the memory and of the free disk space.</summary>
    public ServerStorage(JetStreamOptions options, string folder, Clock clock, ILogger logger)
    {
        _clock = clock;
        _logger = logger;
        _maxMemoryBytes = options.MaxMemoryBytes >= 0 ? options.MaxMemoryBytes : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 4 * 3;
        MaxDuplicateIdBytes = options.MaxDuplicateIdBytes >= 0 ? options.MaxDuplicateIdBytes : Math.Min(GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8, MostDuplicateIdBytes);
        _maxStoreBytes = options.MaxStoreBytes >= 0 ? options.MaxStoreBytes : FreeDisk.BytesAt(folder) / 4 * 3;
    }

    /// <summary>The limit of all memory streams.</summary>
    public long MaxMemoryBytes => Volatile.Read(ref _maxMemoryBytes);

    /// <summary>The limit of all file streams.</summary>
    public long MaxStoreBytes => Volatile.Read(ref _maxStoreBytes);

    /// <summary>The limit of the ids in the duplicate windows of one account's streams.</summary>
    public long MaxDuplicateIdBytes { get; }

    /// <summary>Bytes in memory streams.</summary>
    public long MemoryBytes => Volatile.Read(ref _memoryBytes);

    /// <summary>Bytes in file streams.</summary>
    public long StoreBytes => Volatile.Read(ref _storeBytes);

    /// <summary>Raises the limits that the options set.</summary>
    public void Raise(JetStreamOptions options)
    {
        if (options.MaxMemoryBytes > MaxMemoryBytes) Interlocked.Exchange(ref _maxMemoryBytes, options.MaxMemoryBytes);
        if (options.MaxStoreBytes > MaxStoreBytes) Interlocked.Exchange(ref _maxStoreBytes, options.MaxStoreBytes);
    }

    /// <summary>Whether streams of a kind exceed their limit.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsOver(StreamStorage storage)
        => storage == StreamStorage.Memory ? MemoryBytes > MaxMemoryBytes : StoreBytes > MaxStoreBytes;

    /// <summary>Adds bytes, or subtracts them.</summary>
    public void CountBytes(StreamStorage storage, long bytes)
    {
        if (storage == StreamStorage.Memory) Interlocked.Add(ref _memoryBytes, bytes);
        else Interlocked.Add(ref _storeBytes, bytes);
    }

    /// <summary>Logs the limit that caused a rejection for lack of space.</summary>
    /// <param name="storage">The kind of streams.</param>
    /// <param name="bytes">The bytes that they hold or would reserve.</param>
    public void NoteFull(StreamStorage storage, long bytes)
    {
        var (now, due) = (_clock.Now, Interlocked.Read(ref _noteFullAt));
        if (now < due || Interlocked.CompareExchange(ref _noteFullAt, now + Clock.Of(FullNoteInterval), due) != due) return;
        if (storage == StreamStorage.Memory)
            StreamLog.ServerIsFull(_logger, "memory", bytes, MaxMemoryBytes, "max_memory_store; default: three quarters of the memory");
        else
            StreamLog.ServerIsFull(_logger, "file", bytes, MaxStoreBytes, "max_file_store; default: three quarters of the free disk space at the start");
    }
}
