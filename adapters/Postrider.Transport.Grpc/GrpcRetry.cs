using Postrider.Resilience;

namespace Postrider.Transport.Grpc;

/// <summary>The retry profile: how failed sends are repeated.</summary>
public sealed record GrpcRetry
{
    /// <summary>How often a send is attempted while the server cannot be reached or accepts no more messages; at least 1. 8 by default. A
    /// repeated send may be handled twice.</summary>
    public int SendAttempts { get; set; } = 8;

    /// <summary>The longest pause between two such attempts. 5 s by default.</summary>
    public TimeSpan MaxPause { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The deadline of each call, unless the message has an earlier one. 30 s by default: a receipt that means 'handled' arrives
    /// when the handler has ended.</summary>
    public TimeSpan CallTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The time limit of a send with all attempts that the receiver asks for. 5 minutes by default.</summary>
    public TimeSpan SendTimeout { get; set; } = TimeSpan.FromMinutes(5);

    /// <summary>How long nothing is sent after the server has rejected the credentials. 30 s by default; a successful health check ends
    /// it.</summary>
    public TimeSpan RefusedPause { get; set; } = TimeSpan.FromSeconds(30);

    internal RetryPolicy Policy => new() { MaxAttempts = SendAttempts, BaseDelay = TimeSpan.FromMilliseconds(100) < MaxPause ? TimeSpan.FromMilliseconds(100) : MaxPause, MaxDelay = MaxPause };
}
