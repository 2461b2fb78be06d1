namespace Postrider.Transport.Kafka;

/// <summary>TLS and the account.</summary>
public sealed record KafkaSecurity
{
    /// <summary>Whether connections use TLS. False by default.</summary>
    public bool Tls { get; set; }

    /// <summary>A file with the certificates (PEM) of the authorities that the servers' certificates must come from; null for those of the
    /// system.</summary>
    public string? CaFile { get; set; }

    /// <summary>The user name; null for no account.</summary>
    public string? User { get; set; }

    /// <summary>The password. It is never logged.</summary>
    public string? Password { get; set; }

    /// <summary>How the account authenticates. <see cref="KafkaSaslMechanism.Plain"/> by default.</summary>
    public KafkaSaslMechanism Mechanism { get; set; }

    /// <inheritdoc/>
    public override string ToString() => $"{(Tls ? "TLS" : "no TLS")}, {(User is null ? "no account" : $"account '{User}' by {Mechanism}")}";
}
