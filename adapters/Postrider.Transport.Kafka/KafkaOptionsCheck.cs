namespace Postrider.Transport.Kafka;

/// <summary>Rejects options that contradict each other, with a proposed change.</summary>
internal static class KafkaOptionsCheck
{
    private static readonly TimeSpan s_maxLinger = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_maxTime = TimeSpan.FromDays(1);

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Check(KafkaOptions options)
    {
        var (throughput, retry) = (options.Throughput, options.Retry);
        Require(options.Servers.Length > 0 && options.Servers.Split(',').All(IsServer), $"Servers is '{options.Servers}' and must be host:port, separated by commas");
        Require(throughput.Linger >= TimeSpan.Zero && throughput.Linger <= s_maxLinger, $"Throughput.Linger is {throughput.Linger} and must be from 0 to {s_maxLinger}");
        Require(throughput.BatchBytes >= 1000, $"Throughput.BatchBytes is {throughput.BatchBytes} and must be at least 1000");
        Require(throughput.MaxUnconfirmed is >= 1 and <= 10_000_000, $"Throughput.MaxUnconfirmed is {throughput.MaxUnconfirmed} and must be from 1 to 10000000");
        Require(throughput.MaxUnsettled is >= 1 and <= 1_000_000, $"Throughput.MaxUnsettled is {throughput.MaxUnsettled} and must be from 1 to 1000000");
        Require(throughput.ReadAheadBytes is >= 1024 and <= 512_000_000, $"Throughput.ReadAheadBytes is {throughput.ReadAheadBytes} and must be from 1024 to 512000000");
        Require(Enum.IsDefined(throughput.Compression), $"Throughput.Compression is {throughput.Compression}, which is not known: {string.Join(", ", Enum.GetNames<KafkaCompression>())}");
        Require(!throughput.Idempotence || throughput.Acks == KafkaAcks.All, $"Throughput.Idempotence needs Throughput.Acks {nameof(KafkaAcks.All)}, and it is {throughput.Acks}: set Idempotence to false, or Acks to {nameof(KafkaAcks.All)}");
        Require(retry.SendTimeout > throughput.Linger && retry.SendTimeout <= s_maxTime, $"Retry.SendTimeout is {retry.SendTimeout} and must be longer than Throughput.Linger ({throughput.Linger}) and at most {s_maxTime}");
        Require(retry.UnknownTopicWait > TimeSpan.Zero && retry.UnknownTopicWait <= retry.SendTimeout, $"Retry.UnknownTopicWait is {retry.UnknownTopicWait} and must be greater than zero and at most Retry.SendTimeout ({retry.SendTimeout})");
        Require(retry.MaxPause >= TimeSpan.FromMilliseconds(10) && retry.MaxPause <= TimeSpan.FromMinutes(5), $"Retry.MaxPause is {retry.MaxPause} and must be from 10 ms to 5 minutes");
        Require(retry.CommitInterval > TimeSpan.Zero && retry.CommitInterval <= TimeSpan.FromMinutes(10), $"Retry.CommitInterval is {retry.CommitInterval} and must be greater than zero and at most 10 minutes");
        Require(retry.HandOverWait >= TimeSpan.Zero && retry.HandOverWait <= TimeSpan.FromMinutes(4), $"Retry.HandOverWait is {retry.HandOverWait} and must be from 0 to 4 minutes: a member that does not ask for messages for 5 minutes is removed from its group");
        Require(retry.SessionTimeout >= TimeSpan.FromSeconds(1) && retry.SessionTimeout <= TimeSpan.FromHours(1), $"Retry.SessionTimeout is {retry.SessionTimeout} and must be from 1 s to 1 hour");
        Require(options.Poison.MaxBodyBytes is >= 1 and <= 900_000_000, $"Poison.MaxBodyBytes is {options.Poison.MaxBodyBytes} and must be from 1 to 900000000");
        Require(options.Observability.ProbeTimeout > TimeSpan.Zero, $"Observability.ProbeTimeout is {options.Observability.ProbeTimeout} and must be greater than zero");
        CheckAccount(options);
    }

    private static void CheckAccount(KafkaOptions options)
    {
        var security = options.Security;
        Require(security.User is null || security.Password is not null, $"Security.User is '{security.User}' and there is no Security.Password: set it, or remove the user");
        Require(security.User is not null || security.Password is null, "Security.Password is set and there is no Security.User: set it, or remove the password");
        Require(security.Tls || security.CaFile is null, $"Security.CaFile is '{security.CaFile}' and Security.Tls is false: set Tls to true, or remove CaFile");
        Require(security.CaFile is null || File.Exists(security.CaFile), $"Security.CaFile '{security.CaFile}' does not exist");
        if (!options.IsEventHubs)
            return;
        Require(options.Throughput.Compression is KafkaCompression.Gzip or KafkaCompression.None, $"Throughput.Compression is {options.Throughput.Compression}, which Event Hubs does not support: set it to {nameof(KafkaCompression.Gzip)} or {nameof(KafkaCompression.None)}");
        Require(security is { Tls: true, Mechanism: KafkaSaslMechanism.Plain }, $"Security is {security}, and Event Hubs only supports TLS and {nameof(KafkaSaslMechanism.Plain)}: leave Security as UseEventHubs set it");
    }

    private static bool IsServer(string server)
    {
        var colon = server.LastIndexOf(':');
        return colon > 0 && ushort.TryParse(server[(colon + 1)..], System.Globalization.CultureInfo.InvariantCulture, out var port) && port > 0 && !server.AsSpan().Trim().ContainsAny(" /\t\r\n");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"KafkaOptions.{what}.");
    }
}
