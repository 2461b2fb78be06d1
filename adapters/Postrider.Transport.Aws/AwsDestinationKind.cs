namespace Postrider.Transport.Aws;

/// <summary>The services that messages are sent to.</summary>
internal enum AwsDestinationKind
{
    /// <summary>A queue of SQS.</summary>
    Queue,

    /// <summary>A topic of SNS.</summary>
    Topic,

    /// <summary>An event bus of EventBridge.</summary>
    EventBus,
}
