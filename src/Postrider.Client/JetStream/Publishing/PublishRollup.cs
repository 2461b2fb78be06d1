namespace Postrider.Client.JetStream;

/// <summary>What a message replaces in its stream.</summary>
public enum PublishRollup
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Every earlier message of its subject.</summary>
    Subject,

    /// <summary>Every earlier message.</summary>
    Stream,
}
