namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>What a create request may do.</summary>
internal enum ConsumerAction
{
    /// <summary>Create the consumer, or update the existing one.</summary>
    CreateOrUpdate,

    /// <summary>Only update.</summary>
    Update,

    /// <summary>Only create.</summary>
    Create,
}
