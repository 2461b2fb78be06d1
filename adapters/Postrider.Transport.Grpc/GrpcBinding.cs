using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>Binds to a destination of the inbox, and defines the meaning of a receipt.</summary>
/// <param name="Source">The destination. Listeners of one destination share its messages.</param>
/// <remarks>
/// Without a <see cref="Store"/>, the receipt means that the message was handled. The sender keeps the message until then: after a failure
/// it is told to send it again after the delay of <see cref="AtLeastOnceBinding.Retry"/>. A message whose attempts are used up is sent to
/// <see cref="AtLeastOnceBinding.DeadLetter"/>; without one, the sender is told that no further attempt can succeed.
/// </remarks>
public sealed record GrpcBinding(string Source) : AtLeastOnceBinding(Source)
{
    /// <summary>Where messages are stored before they are handled; null to handle them immediately. With a store, the receipt means that the
    /// message is stored, and <see cref="AtLeastOnceBinding.Retry"/>, <see cref="AtLeastOnceBinding.DeadLetter"/> and concurrency are
    /// those of the store's binding.</summary>
    public GrpcStore? Store { get; init; }

    /// <inheritdoc/>
    protected override bool RepliesToCommands => Store is null;

    /// <inheritdoc/>
    protected override void Validate()
    {
        base.Validate();
        if (Source.Length == 0) throw Contradiction("the name of its destination is empty");
        if (Group is not null) throw Contradiction("it has a Group; listeners of one destination share its messages, and a message goes to one destination");
        if (Store is not null && DeadLetter is not null) throw Contradiction("it has a Store and a DeadLetter; set the DeadLetter of the store's binding");
    }

    internal void Check() => Validate();
}
