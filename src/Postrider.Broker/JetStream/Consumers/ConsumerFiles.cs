using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Storage;
using Postrider.Storage.Consumers;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>The consumers on the disk: each has a folder with its configuration and its state.</summary>
/// <remarks>Errors: the exceptions of the file system.</remarks>
internal static class ConsumerFiles
{
    private const string MetadataName = "meta.json";
    private const string LogName = "state.log";

    // Configurations are far smaller.
    private const int MaxBlankBytes = 1024 * 1024;

    /// <summary>The folder of a consumer; null when the consumer is not stored.</summary>
    public static IStoreFolder? For(MessageStream stream, string name, ConsumerConfig config)
        => config.MemoryStorage || config.Direct ? null : stream.Folder?.Folder(StreamFiles.ConsumersName).Folder(name);

    /// <summary>Whether a consumer is flushed to the disk before its request is answered. Never for ephemeral consumers.</summary>
    public static bool IsFlushed(MessageStream stream, ConsumerConfig config)
        => config.IsDurable && StreamStoreFactory.DurabilityOf(stream.Account.Engine, stream.Config) != StoreDurability.PageCache;

    /// <summary>Opens the state of a consumer, or creates it.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="owner">See <see cref="OwnerOf"/>.</param>
    /// <param name="damage">The damage that was found, or null.</param>
    public static ConsumerJournal OpenLog(IStoreFolder folder, ulong owner, out ConsumerDamage? damage) => ConsumerJournal.Open(folder, LogName, owner, out damage);

    /// <summary>Creates the state of a consumer that <see cref="Write"/> has just put into its folder; written at its start.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="owner">See <see cref="OwnerOf"/>.</param>
    /// <param name="flush">Whether it is then flushed to the disk.</param>
    public static ConsumerJournal BeginLog(IStoreFolder folder, ulong owner, bool flush) => ConsumerJournal.Open(folder, LogName, owner, out _, flushesFirst: flush);

    /// <summary>The newest stream sequence that any of a stream's consumers has delivered; 0 when it is unknown.</summary>
    public static ulong LastDelivered(MessageStream stream)
    {
        ulong last = 0;
        if (stream.Folder?.Folder(StreamFiles.ConsumersName) is not { } folder) return last;
        foreach (var name in folder.Folders())
        {
            try
            {
                if (Read(folder.Folder(name), out _) is { } metadata)
                    last = Math.Max(last, ConsumerJournal.Peek(folder.Folder(name), LogName, OwnerOf(stream, name, metadata.Created)).DeliveredStream);
            }
            catch (Exception e) when (DiskErrors.IsDiskError(e) || e is JsonException)
            {
                // It is reported when the consumer itself is opened.
                ConsumerLog.NotRestored(stream.Services.Logger, stream.Services.AccountName, stream.Name, name, e.Message);
            }
        }

        return last;
    }

    /// <summary>A number that distinguishes the consumer's state from that of another consumer whose file was put in its place.</summary>
    public static ulong OwnerOf(MessageStream stream, string name, DateTimeOffset created)
        => Crc32C.Compute(Encoding.UTF8.GetBytes($"{stream.Name}\0{name}"), (uint)created.ToUnixTimeMilliseconds()) | 1UL << 32;

    /// <summary>Writes a consumer's configuration.</summary>
    public static void Write(IStoreFolder folder, DateTimeOffset created, ConsumerConfig config, MetadataFlush flush)
    {
        folder.Ensure();
        var metadata = new ConsumerMetadata { Created = created, Config = config };
        MetadataFile.Write(folder, MetadataName, JsonSerializer.SerializeToUtf8Bytes(metadata, ConsumerJson.Default.ConsumerMetadata), flush);
    }

    /// <summary>Reads a consumer's configuration.</summary>
    /// <returns>Null when there is none, or when it cannot be read: <paramref name="problem"/> is the reason. When it was read, the problem is
    /// a warning.</returns>
    public static ConsumerMetadata? Read(IStoreFolder folder, out string? problem)
    {
        problem = null;
        if (StreamFiles.IsDiscarded(folder)) return null;
        var status = MetadataFile.TryRead(folder, MetadataName, out var text, out problem);
        if (status == StoreStatus.Ok) return JsonSerializer.Deserialize(text, ConsumerJson.Lenient.ConsumerMetadata);
        problem = status == StoreStatus.Damaged ? $"{MetadataName} is damaged" : folder.Files().Contains(LogName, StringComparer.Ordinal) ? $"{MetadataName} is missing" : null;
        return null;
    }

    /// <summary>Whether all files of the folder are empty or zero: the remains of a new, unflushed consumer after a power failure.</summary>
    public static bool IsBlank(IStoreFolder folder)
        => folder.Files().All(name => IsBlank(folder, name));

    /// <summary>Removes a consumer.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="flush">Whether the removal must survive a power failure.</param>
    public static void Delete(IStoreFolder folder, bool flush)
    {
        if (!folder.Exists) return;
        StreamFiles.MarkDiscarded(folder, flush);
        folder.DeleteAll();
    }

    // After a power failure, file systems show such a file as empty or as zeros.
    private static bool IsBlank(IStoreFolder folder, string name)
    {
        using var file = folder.Open(name, writable: false);
        var bytes = new byte[(int)Math.Min(file.Length, MaxBlankBytes + 1)];
        return bytes.Length <= MaxBlankBytes && !bytes.AsSpan(0, file.Read(0, bytes)).ContainsAnyExcept((byte)0);
    }
}
