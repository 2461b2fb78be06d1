namespace Postrider.Transport.Aws;

/// <summary>A destination: <c>queue</c>, <c>sns/topic</c>, or <c>events/bus</c>.</summary>
/// <param name="Kind">The kind of destination.</param>
/// <param name="Name">Its name in the service.</param>
internal readonly record struct AwsDestination(AwsDestinationKind Kind, string Name)
{
    internal const string Fifo = ".fifo";

    private const string TopicPrefix = "sns/";
    private const string BusPrefix = "events/";
    private const string Forms = "It must be 'queue', 'sns/topic' or 'events/bus'";

    /// <summary>Reads a destination.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the name is not valid.</exception>
    internal static AwsDestination Parse(string destination, AwsQueueType type)
        => TryParse(destination, type, out var parsed) is { } problem
            ? throw new PostriderException(PostriderError.Configuration, $"Destination '{destination}' is not valid: {problem}.")
            : parsed;

    /// <summary>Reads a destination.</summary>
    /// <returns>The error; null if the name is valid.</returns>
    internal static string? TryParse(string destination, AwsQueueType type, out AwsDestination parsed)
    {
        parsed = destination switch
        {
            _ when destination.StartsWith(TopicPrefix, StringComparison.Ordinal) => new(AwsDestinationKind.Topic, destination[TopicPrefix.Length..]),
            _ when destination.StartsWith(BusPrefix, StringComparison.Ordinal) => new(AwsDestinationKind.EventBus, destination[BusPrefix.Length..]),
            _ => new(AwsDestinationKind.Queue, destination),
        };
        var (kind, name) = parsed;
        if (name.Length == 0)
            return $"it has no name. {Forms}";
        if (kind == AwsDestinationKind.EventBus)
        {
            if (type == AwsQueueType.Fifo)
                return "EventBridge keeps no order, and the queues of this transport are FIFO queues: send it over a transport with standard queues";
            return name.Length > 256 || Odd(name, "_-./") is not null ? "the name of an event bus has at most 256 letters, digits, '_', '-', '.' and '/'" : null;
        }

        var isFifo = name.EndsWith(Fifo, StringComparison.Ordinal);
        if (isFifo && type == AwsQueueType.Standard)
            return $"names that end with '{Fifo}' belong to a transport whose QueueType is {nameof(AwsQueueType.Fifo)}";
        var (most, what) = kind == AwsDestinationKind.Queue ? (80, "queue") : (256, "topic");
        if (type == AwsQueueType.Fifo && !isFifo)
            parsed = new(kind, name += Fifo);
        if (name.Length > most)
            return $"its name has {name.Length} characters, and {most} are allowed for a {what}";
        var bare = type == AwsQueueType.Fifo ? name.AsSpan(0, name.Length - Fifo.Length) : name;
        if (bare.Length == 0)
            return $"it has no name. {Forms}";
        return Odd(bare, "_-") is { } odd ? $"it contains '{odd}', and the name of a {what} has letters, digits, '_' and '-' only. {Forms}" : null;
    }

    /// <summary>The destination as it is written in routes.</summary>
    public override string ToString() => Kind switch
    {
        AwsDestinationKind.Topic => TopicPrefix + Name,
        AwsDestinationKind.EventBus => BusPrefix + Name,
        _ => Name,
    };

    private static char? Odd(ReadOnlySpan<char> name, string allowed)
    {
        foreach (var letter in name)
        {
            if (!char.IsAsciiLetterOrDigit(letter) && !allowed.Contains(letter, StringComparison.Ordinal))
                return letter;
        }

        return null;
    }
}
