namespace Postrider.Client.JetStream;

/// <summary>Which messages of the stream a message replaces.</summary>
public enum PublishRollup
{
    /// <summary>No messages.</summary>
    None,

    /// <summary>All earlier messages of its subject.</summary>
    Subject,

    /// <summary>All earlier messages of the stream.</summary>
    Stream,
}
