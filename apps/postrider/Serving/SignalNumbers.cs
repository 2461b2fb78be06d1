namespace Postrider.CommandLine.Serving;

/// <summary>The numbers and names of signals on this system.</summary>
internal static class SignalNumbers
{
    internal const int Hangup = 1;
    internal const int Interrupt = 2;
    internal const int Kill = 9;
    internal const int Terminate = 15;

    /// <summary>SIGUSR1 and SIGUSR2 have other numbers on macOS and the BSDs than on Linux.</summary>
    internal static int User1 => OperatingSystem.IsLinux() ? 10 : 30;

    internal static int User2 => OperatingSystem.IsLinux() ? 12 : 31;

    internal static int Of(ServerSignal signal) => signal switch
    {
        ServerSignal.Quit => Interrupt,
        ServerSignal.Terminate => Terminate,
        ServerSignal.Reload => Hangup,
        ServerSignal.Reopen => User1,
        ServerSignal.LameDuck => User2,
        _ => Kill,
    };

    /// <summary>The signal's name in the log.</summary>
    internal static string NameOf(ServerSignal signal) => signal switch
    {
        ServerSignal.Quit => "interrupt",
        ServerSignal.Terminate => "terminated",
        ServerSignal.Reload => "hangup",
        ServerSignal.Reopen => "user defined signal 1",
        ServerSignal.LameDuck => "user defined signal 2",
        _ => "killed",
    };

    /// <summary>The signal that <c>-sl</c> has this name for, or null.</summary>
    internal static ServerSignal? Parse(string word) => word switch
    {
        "quit" => ServerSignal.Quit,
        "term" => ServerSignal.Terminate,
        "reload" => ServerSignal.Reload,
        "reopen" => ServerSignal.Reopen,
        "ldm" => ServerSignal.LameDuck,
        "stop" => ServerSignal.Stop,
        _ => null,
    };
}
