using Postrider.Broker.JetStream.Model;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>A stream that was found on the disk and is not read yet.</summary>
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

    /// <summary>Whose it is.</summary>
    public JetStreamAccount Account { get; }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>Where it is.</summary>
    public IStoreFolder Folder { get; }

    /// <summary>What it is.</summary>
    public StreamMetadata Metadata { get; }

    /// <summary>What is published meanwhile.</summary>
    public RecoveryPublishBuffer Held { get; }
}
