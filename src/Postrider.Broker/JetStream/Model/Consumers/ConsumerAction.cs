namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>What a create request may do.</summary>
internal enum ConsumerAction
{
    /// <summary>Make the consumer, or change the one that is there.</summary>
    CreateOrUpdate,

    /// <summary>Only change.</summary>
    Update,

    /// <summary>Only make.</summary>
    Create,
}
