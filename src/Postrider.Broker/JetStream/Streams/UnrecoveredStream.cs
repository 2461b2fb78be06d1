using Postrider.Broker.JetStream.Model;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>A stream that was found on the disk and is not recovered yet.</summary>
internal sealed class UnrecoveredStream
{
    public UnrecoveredStream(JetStreamAccount account, string name, IStoreFolder folder, StreamMetadata metadata)
    {
        Account = account;
        Name = name;
        Folder = folder;
        Metadata = metadata;
        Held = new RecoveryPublishBuffer(account, metadata.Config.SubjectList);
    }

    /// <summary>The account of the stream.</summary>
    public JetStreamAccount Account { get; }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>Its folder.</summary>
    public IStoreFolder Folder { get; }

    /// <summary>Its metadata.</summary>
    public StreamMetadata Metadata { get; }

    /// <summary>The messages published on its subjects meanwhile.</summary>
    public RecoveryPublishBuffer Held { get; }
}
