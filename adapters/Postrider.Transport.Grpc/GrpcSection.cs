using Microsoft.Extensions.Configuration;
using Postrider.Configuration;

namespace Postrider.Transport.Grpc;

/// <summary>Reads a transport's options from a configuration section.</summary>
internal static class GrpcSection
{
    /// <exception cref="InvalidConfigurationException">A value is wrong, or a key is unknown.</exception>
    internal static void Apply(IConfigurationSection section, GrpcOptions options)
    {
        var reader = new SectionReader(section);
        if (reader.Text(nameof(options.Address)) is { } text)
        {
            if (Uri.TryCreate(text, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
                options.Address = address;
            else
                reader.Problem(nameof(options.Address), $"is '{text}' and must be an address such as https://inbox.example:5001.");
        }

        if (reader.Section(nameof(options.Security)) is { } security)
        {
            options.Security.CaFile = security.Text(nameof(GrpcSecurity.CaFile)) ?? options.Security.CaFile;
            options.Security.CertificateFile = security.Text(nameof(GrpcSecurity.CertificateFile)) ?? options.Security.CertificateFile;
            options.Security.KeyFile = security.Text(nameof(GrpcSecurity.KeyFile)) ?? options.Security.KeyFile;
        }

        Apply(reader.Section(nameof(options.Throughput)), options.Throughput);
        Apply(reader.Section(nameof(options.Retry)), options.Retry);
        if (reader.Section(nameof(options.Poison)) is { } poison)
        {
            options.Poison.MaxBodyBytes = (int)(poison.Bytes(nameof(GrpcPoison.MaxBodyBytes), int.MaxValue) ?? options.Poison.MaxBodyBytes);
            options.Poison.MaxHeaderBytes = (int)(poison.Bytes(nameof(GrpcPoison.MaxHeaderBytes), int.MaxValue) ?? options.Poison.MaxHeaderBytes);
        }

        if (reader.Section(nameof(options.Observability)) is { } observability)
        {
            options.Observability.LogProfiles = observability.Flag(nameof(GrpcObservability.LogProfiles)) ?? options.Observability.LogProfiles;
            options.Observability.ProbeTimeout = observability.Duration(nameof(GrpcObservability.ProbeTimeout)) ?? options.Observability.ProbeTimeout;
        }

        reader.ThrowIfInvalid();
    }

    private static void Apply(SectionReader? reader, GrpcThroughput throughput)
    {
        if (reader is null)
            return;
        throughput.MaxInFlight = reader.Integer(nameof(throughput.MaxInFlight), min: 1) ?? throughput.MaxInFlight;
        throughput.MaxWaiting = reader.Integer(nameof(throughput.MaxWaiting)) ?? throughput.MaxWaiting;
        throughput.MaxBatchInFlight = reader.Integer(nameof(throughput.MaxBatchInFlight), min: 1) ?? throughput.MaxBatchInFlight;
        throughput.WindowBytes = (int)(reader.Bytes(nameof(throughput.WindowBytes), int.MaxValue) ?? throughput.WindowBytes);
        throughput.UseSeveralConnections = reader.Flag(nameof(throughput.UseSeveralConnections)) ?? throughput.UseSeveralConnections;
    }

    private static void Apply(SectionReader? reader, GrpcRetry retry)
    {
        if (reader is null)
            return;
        retry.SendAttempts = reader.Integer(nameof(retry.SendAttempts), min: 1) ?? retry.SendAttempts;
        retry.MaxPause = reader.Duration(nameof(retry.MaxPause)) ?? retry.MaxPause;
        retry.CallTimeout = reader.Duration(nameof(retry.CallTimeout)) ?? retry.CallTimeout;
        retry.SendTimeout = reader.Duration(nameof(retry.SendTimeout)) ?? retry.SendTimeout;
        retry.RefusedPause = reader.Duration(nameof(retry.RefusedPause)) ?? retry.RefusedPause;
    }
}
