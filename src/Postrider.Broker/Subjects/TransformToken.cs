using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Postrider.Broker.Subjects;

/// <summary>One token of a transform's template: text, or a function of the tokens that wildcards matched.</summary>
internal sealed record TransformToken
{
    private const string Invalid = "invalid mapping destination";

    private string Text { get; init; } = "";

    private Function Kind { get; init; }

    // Wildcards by number, from 1.
    private long[] Wildcards { get; init; } = [];

    // The indexes of tokens, from 0; set by binding.
    private int[] Places { get; init; } = [];

    private int Number { get; init; }

    private enum Function
    {
        Text,
        Wildcard,
        Partition,
        SplitFromLeft,
        SplitFromRight,
        SliceFromLeft,
        SliceFromRight,
        Split,
        Left,
        Right,
        Random,
    }

    /// <summary>Whether it is the template's <c>&gt;</c>.</summary>
    public bool IsTail => Kind == Function.Text && Text == ">";

    /// <summary>Whether it requires wildcards in the pattern.</summary>
    public bool NeedsWildcards => Kind is not (Function.Text or Function.Random or Function.Partition);

    /// <summary>Whether the original can be derived from its result: text, or a wildcard's token.</summary>
    public bool IsReversible => Kind is Function.Text or Function.Wildcard;

    /// <summary>Whether a template's token represents the one that a wildcard matched: <c>$1</c> or <c>{{wildcard(1)}}</c>.</summary>
    public static bool IsPlaceholder(string text)
        => (text.Length > 1 && text[0] == '$' && text[1] is >= '1' and <= '9') || (TryParse(text, out var token, out _) && token.Kind == Function.Wildcard && IsFunction(text));

    /// <summary>A template with <c>*</c> for each token that represents a wildcard's.</summary>
    public static string WithWildcards(string template) => string.Join('.', template.Split('.').Select(static token => IsPlaceholder(token) ? "*" : token));

    /// <summary>A subject with <c>$1</c> for its first <c>*</c>, and so on.</summary>
    public static string WithPlaceholders(string subject)
    {
        var wildcards = 0;
        return string.Join('.', subject.Split('.').Select(token => token == "*" ? $"${++wildcards}" : token));
    }

    /// <summary>Parses a token.</summary>
    public static bool TryParse(string text, [NotNullWhen(true)] out TransformToken? token, [NotNullWhen(false)] out string? problem)
    {
        problem = null;
        token = new TransformToken { Text = text };
        if (text.Length > 1 && text[0] == '$')
        {
            if (long.TryParse(text.AsSpan(1), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var index))
                token = new TransformToken { Kind = Function.Wildcard, Wildcards = [index], Text = text };
            return true;
        }
        if (!IsFunction(text)) return true;
        var body = text[2..^2].Trim();
        var open = body.IndexOf('(', StringComparison.Ordinal);
        if (open < 0 || !body.EndsWith(')') || !TryFindFunction(body[..open].Trim(), out var kind))
        {
            problem = $"{Invalid}: unknown function in {text}";
            return false;
        }
        var arguments = body[(open + 1)..^1].Split(',');
        (token, var why) = Make(kind, arguments, text);
        problem = token is null ? $"{Invalid}: {why} in {text}" : null;
        return token is not null;
    }

    /// <summary>Whether a token is valid in a template at all: text without white space, or something in double braces.</summary>
    public static bool IsValid(string text) => IsFunction(text) || text.AsSpan().IndexOfAny(" \t\n\f\r") < 0;

    /// <summary>Replaces numbers of wildcards with indexes of tokens.</summary>
    /// <param name="wildcards">The indexes of the pattern's wildcards.</param>
    /// <param name="bound">The token to use.</param>
    /// <param name="problem">The problem.</param>
    public bool TryBind(List<int> wildcards, [NotNullWhen(true)] out TransformToken? bound, [NotNullWhen(false)] out string? problem)
    {
        bound = null;
        problem = null;
        foreach (var place in Wildcards)
        {
            if (place <= wildcards.Count) continue;
            problem = $"{Invalid}: wildcard index out of range in {Text}: [{place}]";
            return false;
        }
        // A number below 1 is not a wildcard's: nats-server uses the first token in this case.
        bound = this with { Places = [.. Wildcards.Select(place => place < 1 ? 0 : wildcards[(int)place - 1])] };
        return true;
    }

    /// <summary>The token for <see cref="Write"/>: its text has one character for each byte in UTF-8.</summary>
    public TransformToken ForBytes() => this with { Text = Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(Text)) };

    /// <summary>Writes the token's result.</summary>
    /// <param name="result">Text with one character for each byte.</param>
    /// <param name="tokens">The tokens of a subject, likewise.</param>
    public void Write(StringBuilder result, string[] tokens)
    {
        switch (Kind)
        {
            case Function.Text:
                result.Append(Text);
                break;
            case Function.Partition:
                result.Append(Partition(Places.Length == 0 ? string.Join('.', tokens) : string.Concat(Places.Select(place => tokens[place]))));
                break;
            case Function.Random:
                result.Append(Number <= 0 ? 0 : System.Random.Shared.Next(Number));
                break;
            default:
                WriteToken(result, tokens[Places[0]]);
                break;
        }
    }

    private static bool IsFunction(string text)
        => text.Length > 4 && text.StartsWith("{{", StringComparison.Ordinal) && text.EndsWith("}}", StringComparison.Ordinal);

    private void WriteToken(StringBuilder result, string token)
    {
        var fits = Number > 0 && Number < token.Length;
        switch (Kind)
        {
            case Function.Split:
                if (Text.Length == 0) SplitCharacters(result, token);
                else result.AppendJoin('.', token.Split(Text).Where(static part => part.Length > 0));
                break;
            case Function.SplitFromLeft when fits:
                result.Append(token, 0, Number).Append('.').Append(token, Number, token.Length - Number);
                break;
            case Function.SplitFromRight when fits:
                result.Append(token, 0, token.Length - Number).Append('.').Append(token, token.Length - Number, Number);
                break;
            case Function.SliceFromLeft when fits:
                Slice(result, token, 0);
                break;
            case Function.SliceFromRight when fits:
                Slice(result, token, token.Length % Number);
                break;
            case Function.Left when fits:
                result.Append(token, 0, Number);
                break;
            case Function.Right when fits:
                result.Append(token, token.Length - Number, Number);
                break;
            default:
                // A wildcard, or a token that is too short to be split.
                result.Append(token);
                break;
        }
    }

    // Without a separator every character becomes a token, and so does every byte that belongs to none.
    private static void SplitCharacters(StringBuilder result, string token)
    {
        var bytes = Encoding.Latin1.GetBytes(token);
        for (var at = 0; at < bytes.Length;)
        {
            if (at > 0) result.Append('.');
            var length = Rune.DecodeFromUtf8(bytes.AsSpan(at), out _, out var consumed) == OperationStatus.Done ? consumed : 1;
            result.Append(token, at, length);
            at += length;
        }
    }

    private void Slice(StringBuilder result, string token, int first)
    {
        if (first > 0) result.Append(token, 0, first).Append('.');
        for (var at = first; at < token.Length; at += Number)
        {
            if (at > first) result.Append('.');
            result.Append(token, at, Math.Min(Number, token.Length - at));
        }
    }

    // FNV-1a, 32 bits: the hash that selects the partition must be the same on every server.
    private uint Partition(string key)
    {
        if (Number == 0) return 0;
        var hash = 2166136261;
        foreach (var value in Encoding.Latin1.GetBytes(key)) hash = unchecked((hash ^ value) * 16777619);
        return hash % (uint)Number;
    }

    private static (TransformToken? Token, string Problem) Make(Function kind, string[] arguments, string text)
    {
        const string NotEnough = "not enough arguments passed to the function";
        const string TooMany = "too many arguments passed to the function";
        const string Wrong = "function argument is invalid or in the wrong format";
        if (arguments is [""] && kind != Function.Partition) return (null, NotEnough);
        var numbers = new long[arguments.Length];
        for (var i = 0; i < arguments.Length; i++)
        {
            if (kind == Function.Split && i == 1) continue;
            if (!long.TryParse(arguments[i].Trim(' '), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out numbers[i])) return (null, Wrong);
            // Numbers of wildcards have 64 bits, other arguments 32.
            var isNumber = kind is Function.Random or Function.Partition ? i == 0 : kind != Function.Wildcard && i == 1;
            if (isNumber && (numbers[i] is < int.MinValue or > int.MaxValue)) return (null, Wrong);
        }
        switch (kind)
        {
            case Function.Wildcard:
                return arguments.Length > 1 ? (null, TooMany) : (new TransformToken { Kind = kind, Wildcards = numbers, Text = text }, "");
            case Function.Partition:
                return (new TransformToken { Kind = kind, Number = (int)numbers[0], Wildcards = numbers[1..], Text = text }, "");
            case Function.Random:
                return arguments.Length > 1 ? (null, NotEnough) : (new TransformToken { Kind = kind, Number = (int)numbers[0], Text = text }, "");
            default:
                if (arguments.Length < 2) return (null, NotEnough);
                if (arguments.Length > 2) return (null, TooMany);
                if (kind != Function.Split) return (new TransformToken { Kind = kind, Wildcards = [numbers[0]], Number = (int)numbers[1], Text = text }, "");
                var separator = arguments[1].TrimStart();
                return separator.Contains(' ', StringComparison.Ordinal) || separator.Contains('.', StringComparison.Ordinal)
                    ? (null, Wrong)
                    : (new TransformToken { Kind = kind, Wildcards = [numbers[0]], Text = separator }, "");
        }
    }

    private static bool TryFindFunction(string name, out Function kind)
    {
        kind = name.ToUpperInvariant() switch
        {
            "WILDCARD" => Function.Wildcard,
            "PARTITION" => Function.Partition,
            "SPLITFROMLEFT" => Function.SplitFromLeft,
            "SPLITFROMRIGHT" => Function.SplitFromRight,
            "SLICEFROMLEFT" => Function.SliceFromLeft,
            "SLICEFROMRIGHT" => Function.SliceFromRight,
            "SPLIT" => Function.Split,
            "LEFT" => Function.Left,
            "RIGHT" => Function.Right,
            "RANDOM" => Function.Random,
            _ => Function.Text,
        };
        return kind != Function.Text;
    }
}
