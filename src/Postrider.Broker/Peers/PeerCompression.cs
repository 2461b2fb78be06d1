using Postrider.Broker.Compression;

namespace Postrider.Broker.Peers;

/// <summary>The negotiated compression of a connection between servers.</summary>
/// <remarks>Chosen on the thread that handles frames; read and adapted from any. Source: nats-server, compression of
/// routes.</remarks>
/// <param name="options">The options of this side.</param>
internal sealed class PeerCompression(ServerCompressionOptions options)
{
    private const string NotSupported = "not supported";
    private const string Off = "off";
    private const string Auto = "s2_auto";
    private const string Uncompressed = "s2_uncompressed";

    private static readonly S2Level[] Steps = [S2Level.Uncompressed, S2Level.Fast, S2Level.Better, S2Level.Best];

    private volatile bool _isAuto;

    /// <summary>Whether the other side was asked; if not, neither side compresses.</summary>
    public bool IsChosen { get; private set; }

    /// <summary>The chosen mode, in nats-server's words; empty before.</summary>
    public string Mode => Codec is { } codec ? TextOf(codec.Level) : Chosen;

    /// <summary>The mode in INFO after the choice.</summary>
    public string InfoMode => options.Mode == ServerCompressionMode.S2Auto ? Auto : Mode;

    /// <summary>Compresses and decompresses; null when the connection is not compressed, and before the choice.</summary>
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
    /// <param name="theirs">The other side's mode; null for none.</param>
    public void Decline(string? theirs) => (IsChosen, Chosen) = (true, string.IsNullOrEmpty(theirs) ? NotSupported : Off);

    /// <summary>Chooses the mode by that of the other side.</summary>
    /// <param name="theirs">The mode in its INFO; null for none.</param>
    /// <param name="roundTrip">An estimate of the round trip.</param>
    /// <returns>False when that mode is unknown; else <see cref="Codec"/> is set according to the choice.</returns>
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
            // The other side adapts; this side does not measure.
            else Codec = new S2Codec(theirs == Auto ? S2Level.Fast : LevelOf(theirs)!.Value);
            return true;
        }
        _isAuto = options.Mode == ServerCompressionMode.S2Auto;
        Codec = new S2Codec(_isAuto ? LevelFor(roundTrip) : LevelOf(TextOf(options.Mode))!.Value);
        return true;
    }

    /// <summary>Adapts the level to a measured round trip.</summary>
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
