namespace Postrider.Transport.ServiceBus;

/// <summary>Rejects options that contradict each other, with a proposed change.</summary>
internal static class ServiceBusOptionsCheck
{
    private static readonly TimeSpan s_maxTime = TimeSpan.FromDays(1);

    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal static ServiceBusConnectionString Check(ServiceBusOptions options)
    {
        var read = ServiceBusConnectionString.Parse(options.ConnectionString);
        var (throughput, retry) = (options.Throughput, options.Retry);
        Require(options.TokenProvider is null || (read.Key is null && read.Signature is null), "TokenProvider is set and ConnectionString has a key or a signature: remove one of them");
        Require(options.TokenProvider is not null || read.Key is not null || read.Signature is not null, "ConnectionString has neither SharedAccessKey nor SharedAccessSignature: add one, or set TokenProvider");
        Require(options.TokenLifetime >= TimeSpan.FromMinutes(1) && options.TokenLifetime <= s_maxTime, $"TokenLifetime is {options.TokenLifetime} and must be from 1 minute to 1 day");
        Require(options.CaFile is null || !read.IsEmulator, $"CaFile is '{options.CaFile}' and ConnectionString has UseDevelopmentEmulator=true, which has no TLS: remove one of them");
        Require(options.CaFile is null || File.Exists(options.CaFile), $"CaFile '{options.CaFile}' does not exist");
        Require(throughput.MaxTransfers is >= 1 and <= 1000, $"Throughput.MaxTransfers is {throughput.MaxTransfers} and must be from 1 to 1000");
        Require(throughput.MaxBatch is >= 1 and <= 4500, $"Throughput.MaxBatch is {throughput.MaxBatch} and must be from 1 to 4500, which is the service's limit");
        Require(throughput.PrefetchFactor is >= 1 and <= 100, $"Throughput.PrefetchFactor is {throughput.PrefetchFactor} and must be from 1 to 100");
        Require(retry.SendAttempts >= 1, $"Retry.SendAttempts is {retry.SendAttempts} and must be at least 1");
        Require(retry.MaxPause >= TimeSpan.FromMilliseconds(10) && retry.MaxPause <= s_maxTime, $"Retry.MaxPause is {retry.MaxPause} and must be from 10 ms to 1 day");
        Require(retry.BusyPause > TimeSpan.Zero && retry.BusyPause <= s_maxTime, $"Retry.BusyPause is {retry.BusyPause} and must be greater than zero and at most 1 day");
        Require(retry.AnswerTimeout >= TimeSpan.FromSeconds(1) && retry.AnswerTimeout <= s_maxTime, $"Retry.AnswerTimeout is {retry.AnswerTimeout} and must be from 1 s to 1 day");
        Require(options.Poison.MaxBodyBytes is >= 1 and <= 104_857_600, $"Poison.MaxBodyBytes is {options.Poison.MaxBodyBytes} and must be from 1 to 104857600, which is the limit of the premium tier");
        Require(options.Observability.ProbeTimeout > TimeSpan.Zero, $"Observability.ProbeTimeout is {options.Observability.ProbeTimeout} and must be greater than zero");
        return read;
    }

    private static void Require(bool holds, string what)
    {
        if (!holds)
            throw new PostriderException(PostriderError.Configuration, $"ServiceBusOptions.{what}.");
    }
}
