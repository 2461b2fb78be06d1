namespace Postrider.Broker.Configuration;

/// <summary>The flags for TLS: together they replace the <c>tls</c> block of the file.</summary>
internal static class TlsFlags
{
    /// <summary>Adds the flags; <see cref="Apply"/> interprets them together.</summary>
    internal static void AddTo(Dictionary<string, Flag> flags)
    {
        flags.Add("tls", Flag.Switch(static (_, _) => { }));
        flags.Add("tlsverify", Flag.Switch(static (_, _) => { }));
        foreach (var name in new[] { "tlscert", "tlskey", "tlscacert" })
            flags.Add(name, Flag.Text(static (_, _) => { }));
    }

    /// <summary>Turns the given flags into options; changes nothing if none is given.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidArguments"/> when the certificate or the key is missing.</exception>
    internal static void Apply(IReadOnlyList<(string Name, object Value)> flags, BrokerOptions options)
    {
        var given = flags.Where(static flag => flag.Name.StartsWith("tls", StringComparison.Ordinal)).ToList();
        if (given.Count == 0)
            return;
        if (given.Exists(static flag => flag is { Name: "tls", Value: false }))
        {
            options.Tls = null;
            return;
        }
        var (cert, key) = (Last<string>(given, "tlscert"), Last<string>(given, "tlskey"));
        if (string.IsNullOrEmpty(cert))
            throw new BrokerException(BrokerError.InvalidArguments, "TLS Server certificate must be present and valid");
        if (string.IsNullOrEmpty(key))
            throw new BrokerException(BrokerError.InvalidArguments, "TLS Server private key must be present and valid");
        var authority = Last<string>(given, "tlscacert");
        // The block's other keys are kept.
        options.Tls = (options.Tls ?? new()) with
        {
            CertFile = cert,
            KeyFile = key,
            CertificateFiles = [],
            CaFile = string.IsNullOrEmpty(authority) ? null : authority,
            Verify = Last<object>(given, "tlsverify") is true,
        };
    }

    private static T? Last<T>(List<(string Name, object Value)> flags, string name)
        where T : class => flags.FindLast(flag => flag.Name == name).Value as T;
}
