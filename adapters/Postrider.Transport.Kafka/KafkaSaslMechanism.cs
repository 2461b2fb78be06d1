namespace Postrider.Transport.Kafka;

/// <summary>How an account authenticates to the servers.</summary>
public enum KafkaSaslMechanism
{
    /// <summary>The password is sent as it is: use TLS.</summary>
    Plain,

    /// <summary>SCRAM with SHA-256.</summary>
    ScramSha256,

    /// <summary>SCRAM with SHA-512.</summary>
    ScramSha512,
}
