using System.Runtime.InteropServices;
using System.Threading.Channels;

namespace Postrider.CommandLine.Serving;

/// <summary>Turns the process's signals into a sequence.</summary>
internal sealed class SignalListener : IDisposable
{
    private readonly Channel<ServerSignal> _signals = Channel.CreateUnbounded<ServerSignal>();
    private readonly List<PosixSignalRegistration> _registrations = [];

    internal SignalListener()
    {
        Listen(PosixSignal.SIGINT, ServerSignal.Quit);
        Listen(PosixSignal.SIGTERM, ServerSignal.Terminate);
        Listen(PosixSignal.SIGHUP, ServerSignal.Reload);
        if (OperatingSystem.IsWindows())
            return;
        // The enumeration has no names for these two, but accepts the system's numbers.
        Listen((PosixSignal)SignalNumbers.User1, ServerSignal.Reopen);
        Listen((PosixSignal)SignalNumbers.User2, ServerSignal.LameDuck);
    }

    /// <summary>The signals that arrive.</summary>
    internal ChannelReader<ServerSignal> Signals => _signals.Reader;

    public void Dispose()
    {
        foreach (var registration in _registrations)
            registration.Dispose();
    }

    private void Listen(PosixSignal number, ServerSignal signal) =>
        _registrations.Add(PosixSignalRegistration.Create(number, context =>
        {
            context.Cancel = true;
            _signals.Writer.TryWrite(signal);
        }));
}
