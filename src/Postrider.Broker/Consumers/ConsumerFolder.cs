using System.Text.Json;
using Postrider.Broker.Storage;
using Postrider.Broker.Storage.Consumers;
using Postrider.Broker.Streams;

namespace Postrider.Broker.Consumers;

/// <summary>Consumers on the disk: a folder each, with what it does and how far it came.</summary>
/// <remarks>Errors: what the disk throws.</remarks>
internal static class ConsumerFolder
{
    private const string MetadataName = "meta.json";
    private const string LogName = "state.log";

    /// <summary>Where a consumer of a stream is kept; null when it is not.</summary>
    public static IStoreFolder? Of(MessageStream stream, string name, ConsumerConfig config)
        => config.MemoryStorage || config.Direct ? null : stream.Folder?.Folder(StreamFolder.ConsumersName).Folder(name);

    /// <summary>Opens the books of a consumer, or begins them.</summary>
    public static ConsumerLog OpenLog(IStoreFolder folder) => ConsumerLog.Open(folder, LogName, out _);

    /// <summary>Writes down what a consumer does.</summary>
    public static void Write(IStoreFolder folder, DateTimeOffset created, ConsumerConfig config)
    {
        var metadata = new ConsumerMetadata { Created = created, Config = config };
        MetadataFile.Write(folder, MetadataName, JsonSerializer.SerializeToUtf8Bytes(metadata, ConsumerJson.Default.ConsumerMetadata));
    }

    /// <summary>Reads what a consumer does.</summary>
    /// <returns>Null when there is none, or it is not to be read: <paramref name="problem"/> says why. With a consumer it says what
    /// people should know.</returns>
    public static ConsumerMetadata? Read(IStoreFolder folder, out string? problem)
    {
        problem = null;
        if (StreamFolder.IsDiscarded(folder)) return null;
        var status = MetadataFile.TryRead(folder, MetadataName, out var text, out problem);
        if (status == StoreStatus.Ok) return JsonSerializer.Deserialize(text, ConsumerJson.Lenient.ConsumerMetadata);
        problem = status == StoreStatus.Damaged ? $"{MetadataName} is damaged" : folder.Files().Contains(LogName, StringComparer.Ordinal) ? $"{MetadataName} is missing" : null;
        return null;
    }

    /// <summary>Removes a consumer.</summary>
    public static void Delete(IStoreFolder folder)
    {
        StreamFolder.MarkDiscarded(folder);
        folder.DeleteAll();
    }
}
