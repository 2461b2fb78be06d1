namespace Postrider.InteropTests.Tracing;

/// <summary>A traced message, who listens, and whether there is to be a trace.</summary>
/// <param name="Name">Names the row.</param>
public sealed record TraceRow(string Name)
{
    /// <summary>Who publishes.</summary>
    public string User { get; init; } = "a";

    /// <summary>Who else is connected: user and subscription, such as <c>a foo.* group</c>.</summary>
    public string[] Listeners { get; init; } = [];

    /// <summary>What the publisher subscribes to itself; with <c>noecho</c> in front it does not hear itself.</summary>
    public string Own { get; init; } = "";

    /// <summary>The subject.</summary>
    public string Subject { get; init; } = "t.x";

    /// <summary>The reply subject.</summary>
    public string ReplyTo { get; init; } = "";

    /// <summary>The headers.</summary>
    public string[] Headers { get; init; } = [To];

    /// <summary>The payload.</summary>
    public string Payload { get; init; } = "hello";

    /// <summary>Where the trace goes.</summary>
    public string Destination { get; init; } = "trace.dest";

    /// <summary>Whether there is a trace.</summary>
    public bool IsTraced { get; init; } = true;

    /// <summary>Whether the publisher waits for an answer, which comes some time after the trace.</summary>
    public bool IsAnswered { get; init; }

    /// <summary>Whether only the status of an answer counts: the rest is each server's own.</summary>
    public bool HidesAnswer { get; init; }

    /// <summary>The header with the usual destination.</summary>
    public static string To => "Nats-Trace-Dest: trace.dest";

    /// <summary>The header of messages that are only traced.</summary>
    public static string Only => "Nats-Trace-Only: true";

    public override string ToString() => Name;
}
