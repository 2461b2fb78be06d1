namespace Postrider.Dispatch;

/// <summary>What a module knows of one message type: how to compose its pipeline, and what to show of it.</summary>
public abstract class MessageRegistration
{
    private protected MessageRegistration(MessageDescription description) => Description = description;

    /// <summary>The type.</summary>
    public abstract Type MessageType { get; }

    /// <summary>What the handler map shows.</summary>
    public MessageDescription Description { get; }

    internal abstract Pipeline Compose(IServiceProvider root, bool traced, IReadOnlyList<MessageWrapper> wrappers);
}
