using Postrider.Resilience;

namespace Postrider.Transport.ServiceBus;

/// <summary>The retry profile: how failed sends and lost connections are repeated.</summary>
/// <remarks>The retries of a message whose handler failed are defined by the binding (<c>AtLeastOnceBinding.Retry</c>).</remarks>
public sealed record ServiceBusRetry
{
    /// <summary>How often a send is attempted while the connection is lost or the service is busy; at least 1. 8 by default. A repeated
    /// send may store the message twice, unless the queue detects duplicates.</summary>
    public int SendAttempts { get; set; } = 8;

    /// <summary>The longest pause between two attempts to send, to connect or to listen. 5 s by default.</summary>
    public TimeSpan MaxPause { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>The pause after the service has responded that it is busy (<c>com.microsoft:server-busy</c>). 10 s by default, which is what
    /// Microsoft's clients wait: the service counts the requests of such a period.</summary>
    public TimeSpan BusyPause { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>The timeout of a response of the service. 60 s by default.</summary>
    public TimeSpan AnswerTimeout { get; set; } = TimeSpan.FromSeconds(60);

    internal RetryPolicy Policy => new() { MaxAttempts = SendAttempts, BaseDelay = TimeSpan.FromMilliseconds(100), MaxDelay = MaxPause };
}
