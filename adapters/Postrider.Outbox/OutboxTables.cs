using System.Diagnostics.CodeAnalysis;

namespace Postrider.Outbox;

/// <summary>The names of the tables. They become part of SQL texts: lower-case letters, digits and underscores, at most 48
/// characters, not beginning with a digit.</summary>
public sealed record OutboxTables
{
    private const int MaxChars = 48;

    /// <summary>The schema; null for the connection's own. SQLite has none.</summary>
    public string? Schema { get; init => field = value is null ? null : Checked(value); }

    /// <summary>The table of messages that wait to be sent; <c>postrider_outbox</c> by default.</summary>
    public string Outbox { get; init => field = Checked(value); } = "postrider_outbox";

    /// <summary>The table of messages that were handled; <c>postrider_inbox</c> by default.</summary>
    public string Inbox { get; init => field = Checked(value); } = "postrider_inbox";

    /// <summary>The table that records which relay sends, if the database has no locks for it (SQLite); <c>postrider_relay</c> by
    /// default.</summary>
    public string Relay { get; init => field = Checked(value); } = "postrider_relay";

    /// <summary>The table of sagas; <c>postrider_saga</c> by default.</summary>
    public string Saga { get; init => field = Checked(value); } = "postrider_saga";

    internal string OutboxName => Qualified(Outbox);

    internal string InboxName => Qualified(Inbox);

    internal string RelayName => Qualified(Relay);

    internal string SagaName => Qualified(Saga);

    /// <summary>The function of the trigger that notifies of inserts (PostgreSQL).</summary>
    internal string NotifyName => Qualified($"{Outbox}_notify");

    private string Qualified(string table) => Schema is null ? table : $"{Schema}.{table}";

    private static string Checked(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        if (name.Length > MaxChars || char.IsAsciiDigit(name[0]))
            ThrowInvalid(name);
        foreach (var character in name)
        {
            if (!char.IsAsciiLetterLower(character) && !char.IsAsciiDigit(character) && character != '_')
                ThrowInvalid(name);
        }

        return name;
    }

    [DoesNotReturn]
    private static void ThrowInvalid(string name)
        => throw new PostriderException(
            PostriderError.Configuration,
            $"'{(name.Length > MaxChars ? name[..MaxChars] + "…" : name)}' is not a name of a table or schema: use lower-case letters, digits and underscores, at most {MaxChars} characters, and begin with a letter or an underscore.");
}
