namespace Postrider.Transport.Grpc;

/// <summary>Rejects options that contradict each other, with a proposed change.</summary>
internal static class GrpcOptionsCheck
{
    private static readonly TimeSpan s_maxTime = TimeSpan.FromDays(1);

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static void Check(GrpcOptions options)
    {
        var (throughput, retry, poison) = (options.Throughput, options.Retry, options.Poison);
        Require(options.Address is null or { IsAbsoluteUri: true, Scheme: "http" or "https", AbsolutePath: "/" }, $"Address is '{options.Address}' and must be of the form http://host:port or https://host:port, without a path");
        Require(throughput.MaxInFlight is >= 1 and <= 100_000, $"Throughput.MaxInFlight is {throughput.MaxInFlight} and must be from 1 to 100000");
        Require(throughput.MaxWaiting is >= 0 and <= 1_000_000, $"Throughput.MaxWaiting is {throughput.MaxWaiting} and must be from 0 to 1000000");
        Require(throughput.MaxBatchInFlight is >= 1 and <= 10_000, $"Throughput.MaxBatchInFlight is {throughput.MaxBatchInFlight} and must be from 1 to 10000");
        Require(throughput.WindowBytes is >= 65_535 and <= 16 * 1024 * 1024, $"Throughput.WindowBytes is {throughput.WindowBytes} and must be from 65535 to 16777216");
        Require(retry.SendAttempts is >= 1 and <= 1000, $"Retry.SendAttempts is {retry.SendAttempts} and must be from 1 to 1000");
        Require(retry.MaxPause >= TimeSpan.FromMilliseconds(1) && retry.MaxPause <= s_maxTime, $"Retry.MaxPause is {retry.MaxPause} and must be from 1 ms to {s_maxTime}");
        Require(retry.CallTimeout > TimeSpan.Zero && retry.CallTimeout <= s_maxTime, $"Retry.CallTimeout is {retry.CallTimeout} and must be greater than zero and at most {s_maxTime}");
        Require(retry.SendTimeout >= retry.CallTimeout && retry.SendTimeout <= s_maxTime, $"Retry.SendTimeout is {retry.SendTimeout} and must be at least Retry.CallTimeout ({retry.CallTimeout}) and at most {s_maxTime}");
        Require(retry.RefusedPause >= TimeSpan.Zero && retry.RefusedPause <= s_maxTime, $"Retry.RefusedPause is {retry.RefusedPause} and must be from 0 to {s_maxTime}");
        Require(poison.MaxBodyBytes is >= 1 and <= 1024 * 1024 * 1024, $"Poison.MaxBodyBytes is {poison.MaxBodyBytes} and must be from 1 to 1073741824");
        Require(poison.MaxHeaderBytes is >= 1024 and <= 16 * 1024 * 1024, $"Poison.MaxHeaderBytes is {poison.MaxHeaderBytes} and must be from 1024 to 16777216");
        Require(options.Observability.ProbeTimeout > TimeSpan.Zero, $"Observability.ProbeTimeout is {options.Observability.ProbeTimeout} and must be greater than zero");
        CheckSecurity(options);
    }

    private static void CheckSecurity(GrpcOptions options)
    {
        var security = options.Security;
        var isTls = options.Address is { Scheme: "https" };
        Require(security.CaFile is null || isTls, $"Security.CaFile is '{security.CaFile}' and Address '{options.Address}' does not use TLS: use an https address, or remove CaFile");
        Require(security.CertificateFile is null || isTls, $"Security.CertificateFile is '{security.CertificateFile}' and Address '{options.Address}' does not use TLS: use an https address, or remove CertificateFile");
        Require(security.Token is null || isTls || options.Address is { IsLoopback: true }, $"Security.Token is set and Address '{options.Address}' does not use TLS: use an https address, because anyone on the network path could read the token");
        Require((security.CertificateFile is null) == (security.KeyFile is null), "Security.CertificateFile and Security.KeyFile belong together: set both or neither");
        foreach (var (name, file) in new[] { (nameof(security.CaFile), security.CaFile), (nameof(security.CertificateFile), security.CertificateFile), (nameof(security.KeyFile), security.KeyFile) })
            Require(file is null || File.Exists(file), $"Security.{name} '{file}' does not exist");
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"GrpcOptions.{what}.");
    }
}
