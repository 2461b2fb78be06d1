using Postrider.Storage.Blocks;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The names of files and folders in a stream's folder.</summary>
internal static class StreamFiles
{
    /// <summary>The configuration: a folder without it is not a stream.</summary>
    public const string MetadataName = "meta.json";

    /// <summary>A marker file: the folder is being deleted, or a restore into it has not ended; it is not a stream.</summary>
    public const string DiscardName = "discard";

    /// <summary>The folder of the messages.</summary>
    public const string MessagesName = "msgs";

    /// <summary>The folder of the consumers' folders.</summary>
    public const string ConsumersName = "obs";

    /// <summary>The folder of an account's streams.</summary>
    public const string StreamsName = "streams";

    /// <summary>Marks a folder as discarded; from here on a kill leaves no stream or consumer that would be recovered.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="flush">Whether the mark is flushed to the disk, so that the same holds for a power failure.</param>
    public static void MarkDiscarded(IStoreFolder folder, bool flush = true)
    {
        folder.Ensure();
        folder.Create(DiscardName).Dispose();
        if (flush) folder.Sync();
    }

    /// <summary>Whether a folder is marked.</summary>
    public static bool IsDiscarded(IStoreFolder folder) => folder.Files().Contains(DiscardName, StringComparer.Ordinal);

    /// <summary>Whether a folder without configuration contains messages, consumers or anything unknown: then it must not be deleted.</summary>
    public static bool HoldsAnything(IStoreFolder folder)
    {
        if (folder.Files().Any(static name => !name.StartsWith(MetadataName, StringComparison.Ordinal))) return true;
        if (folder.Folders().Any(static name => name is not (MessagesName or ConsumersName))) return true;
        var messages = folder.Folder(MessagesName);
        var blocks = messages.Files().Where(static name => BlockNames.TryParseBlock(name, out _)).ToArray();
        if (blocks.Length > 1 || folder.Folder(ConsumersName).Folders().Count > 0) return true;
        if (blocks.Length == 0) return false;
        using var only = messages.Open(blocks[0], writable: false);
        return only.Length > BlockHeader.Bytes;
    }
}
