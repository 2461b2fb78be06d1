namespace Postrider.Outbox;

/// <summary>A row of the inbox: a message that was handled. With Entity Framework Core an entity of the model.</summary>
public sealed class InboxMessage
{
    /// <summary>The consumer that handled it: the name passed to <c>UseInbox</c>, the source of the binding and the message's type.</summary>
    public required string Consumer { get; set; }

    /// <summary>The message's identity.</summary>
    public required string Id { get; set; }

    /// <summary>When it was handled: milliseconds since 1970-01-01 UTC.</summary>
    public long HandledAt { get; set; }
}
