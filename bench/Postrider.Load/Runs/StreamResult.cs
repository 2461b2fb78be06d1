namespace Postrider.Load.Runs;

/// <summary>One run of a streaming row on one server.</summary>
/// <param name="Messages">Delivered messages; published ones where nobody listens.</param>
/// <param name="Seconds">From the first send to the last delivered byte and the last PONG.</param>
/// <param name="ServerCpuNanoseconds">CPU time of the server in that time.</param>
/// <param name="LoadCpuNanoseconds">CPU time of the generator in that time.</param>
internal sealed record StreamResult(long Messages, double Seconds, long ServerCpuNanoseconds, long LoadCpuNanoseconds)
{
    public double PerSecond => Messages / Seconds;

    public double ServerNanosecondsPerMessage => (double)ServerCpuNanoseconds / Messages;

    public double LoadNanosecondsPerMessage => (double)LoadCpuNanoseconds / Messages;
}
