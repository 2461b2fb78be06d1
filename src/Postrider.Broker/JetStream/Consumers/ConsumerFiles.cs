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

/// <summary>Consumers on the disk: a folder each, with what it does and how far it came.</summary>
/// <remarks>Errors: what the disk throws.</remarks>
internal static class ConsumerFiles
{
    private const string MetadataName = "meta.json";
    private const string LogName = "state.log";

    // A configuration is far smaller.
    private const int MaxBlankBytes = 1024 * 1024;

    /// <summary>Where a consumer of a stream is kept; null when it is not.</summary>
    public static IStoreFolder? For(MessageStream stream, string name, ConsumerConfig config)
        => config.MemoryStorage || config.Direct ? null : stream.Folder?.Folder(StreamFiles.ConsumersName).Folder(name);

    /// <summary>Whether the disk has a consumer when its request is answered. Ephemeral consumers are never waited for.</summary>
    public static bool IsFlushed(MessageStream stream, ConsumerConfig config)
        => config.IsDurable && StreamStoreFactory.DurabilityOf(stream.Account.Engine, stream.Config) != StoreDurability.PageCache;

    /// <summary>Opens the state of a consumer, or begins it.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="owner">See <see cref="OwnerOf"/>.</param>
    /// <param name="damage">What is wrong with it, or null.</param>
    public static ConsumerJournal OpenLog(IStoreFolder folder, ulong owner, out ConsumerDamage? damage) => ConsumerJournal.Open(folder, LogName, owner, out damage);

    /// <summary>Begins the state of a consumer that <see cref="Write"/> has just put into its folder; it is written with the consumer's start.</summary>
    /// <param name="folder">The consumer's folder.</param>
    /// <param name="owner">See <see cref="OwnerOf"/>.</param>
    /// <param name="flush">Whether the disk has it then.</param>
    public static ConsumerJournal BeginLog(IStoreFolder folder, ulong owner, bool flush) => ConsumerJournal.Open(folder, LogName, owner, out _, flushesFirst: flush);

    /// <summary>The newest stream sequence that any of a stream's consumers was given; 0 when that is not known.</summary>
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

    /// <summary>Writes down what a consumer does.</summary>
    public static void Write(IStoreFolder folder, DateTimeOffset created, ConsumerConfig config, MetadataFlush flush)
    {
        folder.Ensure();
        var metadata = new ConsumerMetadata { Created = created, Config = config };
        MetadataFile.Write(folder, MetadataName, JsonSerializer.SerializeToUtf8Bytes(metadata, ConsumerJson.Default.ConsumerMetadata), flush);
    }

    /// <summary>Reads what a consumer does.</summary>
    /// <returns>Null when there is none, or it is not to be read: <paramref name="problem"/> says why. With a consumer it says what
    /// people should know.</returns>
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
    /// <param name="flush">Whether it must not come back after a power cut.</param>
    public static void Delete(IStoreFolder folder, bool flush)
    {
        if (!folder.Exists) return;
        StreamFiles.MarkDiscarded(folder, flush);
        folder.DeleteAll();
    }

    // File systems show such a file empty, or as zeros.
    private static bool IsBlank(IStoreFolder folder, string name)
    {
        using var file = folder.Open(name, writable: false);
        var bytes = new byte[(int)Math.Min(file.Length, MaxBlankBytes + 1)];
        return bytes.Length <= MaxBlankBytes && !bytes.AsSpan(0, file.Read(0, bytes)).ContainsAnyExcept((byte)0);
    }
}
