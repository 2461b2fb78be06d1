using System.Globalization;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>How thoroughly the tables are run.</summary>
/// <param name="Ours">Processes per warm cell of ours and of the bare code.</param>
/// <param name="Peers">Processes per warm cell of a peer, whose figures lie far enough apart for fewer.</param>
/// <param name="Cold">Processes per first invocation.</param>
/// <param name="Starts">Starts of a program with many message types.</param>
internal sealed record BenchForm(int Ours, int Peers, int Cold, int Starts)
{
    private static readonly BenchForm s_full = new(Ours: 3, Peers: 2, Cold: 5, Starts: 7);
    private static readonly BenchForm s_quick = new(Ours: 1, Peers: 1, Cold: 3, Starts: 3);

    internal bool IsQuick => this == s_quick;

    /// <summary>The command that runs the tables in this form and writes them.</summary>
    internal string Command
        => "./dev bench dispatch" + (IsQuick ? " --quick" : "") + (BenchRows.HasPeers ? " --peers FOLDER" : "") + " -- --write-results bench";

    internal string Processes => string.Create(
        CultureInfo.InvariantCulture,
        $"{Ours} of ours and of the bare code, {Peers} of a peer, {Cold} for a first invocation, {Starts} for a first dispatch among many types");

    internal static BenchForm Of(bool quick) => quick ? s_quick : s_full;
}
