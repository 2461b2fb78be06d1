using Postrider.Broker.Compression;

namespace Postrider.Broker.Peers;

/// <summary>What the two ends of a connection between servers agreed on about compression.</summary>
/// <remarks>Chosen on the thread that handles frames; read and adapted from any. Source: nats-server, selectCompressionMode and
/// selectS2AutoModeBasedOnRTT.</remarks>
/// <param name="options">What this end is to do.</param>
internal sealed class PeerCompression(ServerCompressionOptions options)
{
    private const string NotSupported = "not supported";
    private const string Off = "off";
    private const string Auto = "s2_auto";
    private const string Uncompressed = "s2_uncompressed";

    private static readonly S2Level[] Steps = [S2Level.Uncompressed, S2Level.Fast, S2Level.Better, S2Level.Best];

    private volatile bool _isAuto;

    /// <summary>Whether the other end was asked; if not, neither end compresses.</summary>
    public bool IsChosen { get; private set; }

    /// <summary>What was chosen, in nats-server's words; empty before.</summary>
    public string Mode => Codec is { } codec ? TextOf(codec.Level) : Chosen;

    /// <summary>What INFO says after the choice.</summary>
    public string InfoMode => options.Mode == ServerCompressionMode.S2Auto ? Auto : Mode;

    /// <summary>Compresses and decompresses; null where it was chosen not to, and before.</summary>
    public S2Codec? Codec { get; private set; }

    private string Chosen { get; set; } = "";

    /// <summary>A mode in nats-server's words.</summary>
    public static string TextOf(ServerCompressionMode mode) => mode switch
    {
        ServerCompressionMode.Off => Off,
        ServerCompressionMode.Accept => "accept",
        ServerCompressionMode.S2Auto => Auto,
        ServerCompressionMode.S2Fast => TextOf(S2Level.Fast),
        ServerCompressionMode.S2Better => TextOf(S2Level.Better),
        _ => TextOf(S2Level.Best),
    };

    /// <summary>Chooses not to compress.</summary>
    /// <param name="theirs">What the other end said of itself; null for nothing.</param>
    public void Decline(string? theirs) => (IsChosen, Chosen) = (true, string.IsNullOrEmpty(theirs) ? NotSupported : Off);

    /// <summary>Chooses by what the other end said of itself.</summary>
    /// <param name="theirs">The mode in its INFO; null for none.</param>
    /// <param name="roundTrip">An estimate of the round trip.</param>
    /// <returns>False when its mode is not known; else <see cref="Codec"/> has the choice.</returns>
    public bool TryChoose(string? theirs, TimeSpan roundTrip)
    {
        if (options.Mode == ServerCompressionMode.Off || theirs is null or "" or NotSupported or Off)
        {
            Decline(theirs == NotSupported ? null : theirs);
            return true;
        }
        if (theirs is not ("accept" or Auto or Uncompressed) && LevelOf(theirs) is null) return false;
        IsChosen = true;
        if (options.Mode == ServerCompressionMode.Accept)
        {
            if (theirs == "accept") Chosen = Off;
            // The other end adapts; this one does not measure.
            else Codec = new S2Codec(theirs == Auto ? S2Level.Fast : LevelOf(theirs)!.Value);
            return true;
        }
        _isAuto = options.Mode == ServerCompressionMode.S2Auto;
        Codec = new S2Codec(_isAuto ? LevelFor(roundTrip) : LevelOf(TextOf(options.Mode))!.Value);
        return true;
    }

    /// <summary>Adapts to a measured round trip.</summary>
    public void Measured(TimeSpan roundTrip)
    {
        if (_isAuto && roundTrip > TimeSpan.Zero) Codec!.Level = LevelFor(roundTrip);
    }

    private static string TextOf(S2Level level) => level switch
    {
        S2Level.Uncompressed => Uncompressed,
        S2Level.Fast => "s2_fast",
        S2Level.Better => "s2_better",
        _ => "s2_best",
    };

    private static S2Level? LevelOf(string text)
    {
        foreach (var level in Steps)
            if (text == TextOf(level)) return level;
        return null;
    }

    private S2Level LevelFor(TimeSpan roundTrip)
    {
        var thresholds = options.EffectiveThresholds;
        var last = thresholds.Count;
        while (last > 0 && thresholds[last - 1] == TimeSpan.Zero) last--;
        for (var i = 0; i < last; i++)
            if (roundTrip <= thresholds[i]) return Steps[i];
        return Steps[last >= 3 ? 3 : last - 1];
    }
}
