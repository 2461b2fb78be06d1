namespace Postrider.Transports;

/// <summary>The rest of the handling of a received message, after an <see cref="IReceiveMiddleware"/>.</summary>
/// <param name="ct">Cancels the handling.</param>
/// <returns>Completes when the message is handled.</returns>
public delegate ValueTask ReceiveNext(CancellationToken ct);
