using Postrider.Resilience;

namespace Postrider.Outbox;

/// <summary>Options of the outbox, its relay and the inbox.</summary>
/// <remarks>Read when the host starts.</remarks>
public sealed record OutboxOptions
{
    /// <summary>The names of the tables. With Entity Framework Core, the names of the model are used instead.</summary>
    public OutboxTables Tables { get; set; } = new();

    /// <summary>The largest body of a message in bytes; 1 MiB by default, at least 1. The limit of the transport counts as well, so that a
    /// message that the relay could not send is rejected when it is written.</summary>
    public int MaxBodyBytes { get; set; } = 1024 * 1024;

    /// <summary>How often the relay polls for messages that another process has written; 1 s by default, greater than zero. Messages
    /// committed by this process are sent immediately.</summary>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromSeconds(1);

    /// <summary>The number of messages that the relay takes at a time; 100 by default, 1 to 10,000.</summary>
    public int BatchSize { get; set; } = 100;

    /// <summary>The bytes of the bodies that the relay takes at a time; 8 MiB by default, at least 1. One larger message is taken alone.</summary>
    public int MaxBatchBytes { get; set; } = 8 * 1024 * 1024;

    /// <summary>The number of loops that relay for each transport in this process, 1 to 64; 2 by default. SQLite has one.</summary>
    public int Relays { get; set; } = 2;

    /// <summary>Whether this process relays; true by default. A process that only writes leaves sending to others.</summary>
    public bool Relay { get; set; } = true;

    /// <summary>The timeout of one send; 30 s by default, greater than zero. With SQLite at most half of <see cref="RelayLease"/>.</summary>
    public TimeSpan SendTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>Which failures of a send are retried, how often and after what delay, while the transport works: 10 attempts with delays up
    /// to 1 min by default. Then the message stays in the table as a dead letter. While a transport does not work at all, no attempts are
    /// counted.</summary>
    public RetryPolicy Retry { get; set; } = new()
    {
        MaxAttempts = 10,
        BaseDelay = TimeSpan.FromSeconds(1),
        MaxDelay = TimeSpan.FromMinutes(1),
        Backoff = Backoff.Exponential,
    };

    /// <summary>Whether messages wait behind a dead letter with the same key until it is redriven or purged; false by default: they
    /// overtake it.</summary>
    public bool KeepOrderBehindDeadLetters { get; set; }

    /// <summary>How long the inbox remembers a handled message; 7 days by default, greater than zero. A message that is repeated
    /// later is handled again.</summary>
    public TimeSpan KeepHandledFor { get; set; } = TimeSpan.FromDays(7);

    /// <summary>How long a dead letter stays in the table; null, the default, until it is redriven or purged.</summary>
    public TimeSpan? KeepDeadLettersFor { get; set; }

    /// <summary>How often entries older than <see cref="KeepHandledFor"/> and <see cref="KeepDeadLettersFor"/> are removed; 1 min by
    /// default, greater than zero.</summary>
    public TimeSpan CleanupInterval { get; set; } = TimeSpan.FromMinutes(1);

    /// <summary>SQLite: how long a relay that ended without notice prevents the others from sending; 30 s by default, at least 1 s.</summary>
    public TimeSpan RelayLease { get; set; } = TimeSpan.FromSeconds(30);

    internal void Validate()
    {
        Require(MaxBodyBytes >= 1, $"MaxBodyBytes is {MaxBodyBytes} and must be at least 1");
        Require(PollInterval > TimeSpan.Zero, $"PollInterval is {PollInterval} and must be greater than zero");
        Require(BatchSize is >= 1 and <= 10_000, $"BatchSize is {BatchSize} and must be from 1 to 10000");
        Require(MaxBatchBytes >= 1, $"MaxBatchBytes is {MaxBatchBytes} and must be at least 1");
        Require(Relays is >= 1 and <= 64, $"Relays is {Relays} and must be from 1 to 64; set Relay to false where no messages are sent");
        Require(SendTimeout > TimeSpan.Zero, $"SendTimeout is {SendTimeout} and must be greater than zero");
        Require(Retry.Budget is null, "Retry has a Budget, which would dead-letter a message because others failed");
        Require(KeepHandledFor > TimeSpan.Zero, $"KeepHandledFor is {KeepHandledFor} and must be greater than zero");
        Require(KeepDeadLettersFor is null || KeepDeadLettersFor > TimeSpan.Zero, $"KeepDeadLettersFor is {KeepDeadLettersFor} and must be greater than zero, or null");
        Require(CleanupInterval > TimeSpan.Zero, $"CleanupInterval is {CleanupInterval} and must be greater than zero");
        Require(RelayLease >= TimeSpan.FromSeconds(1), $"RelayLease is {RelayLease} and must be at least 1 s");
        try
        {
            Retry.Validate();
        }
        catch (ArgumentException invalid)
        {
            throw new PostriderException(PostriderError.Configuration, $"OutboxOptions.Retry: {invalid.Message}", invalid);
        }
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"OutboxOptions.{what}.");
    }
}
