using System.Globalization;

namespace Postrider.Rpc.Server;

/// <summary>What callers send and want.</summary>
internal static class MediaTypes
{
    /// <summary>A media type without what follows its semicolon.</summary>
    public static ReadOnlySpan<char> WithoutParameters(ReadOnlySpan<char> type)
        => type.IndexOf(';') is >= 0 and var end ? type[..end].Trim() : type.Trim();

    /// <summary>The form that an <c>Accept</c> header likes best; that of the request among those it likes as much; null when it likes none.</summary>
    public static T? Choose<T>(string accept, T asked, IReadOnlyList<T> forms)
        where T : class, IGivenForm
    {
        T? best = null;
        var bestQuality = 0.0;
        foreach (var range in accept.AsSpan().Split(','))
        {
            var text = accept.AsSpan()[range];
            var type = WithoutParameters(text);
            var quality = Quality(text);
            if (quality <= bestQuality)
                continue;
            var found = type.SequenceEqual("*/*") || type.Equals("application/*", StringComparison.OrdinalIgnoreCase) ? asked : Find(type, forms);
            if (found is not null)
                (best, bestQuality) = (found, quality);
        }

        return best;
    }

    private static T? Find<T>(ReadOnlySpan<char> type, IReadOnlyList<T> forms)
        where T : class, IGivenForm
    {
        foreach (var form in forms)
        {
            if (form.Gives(type))
                return form;
        }

        return null;
    }

    private static double Quality(ReadOnlySpan<char> range)
    {
        foreach (var part in range.Split(';'))
        {
            var parameter = range[part].Trim();
            if (parameter.StartsWith("q=", StringComparison.OrdinalIgnoreCase))
                return double.TryParse(parameter[2..], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var quality) ? quality : 0;
        }

        return 1;
    }
}
