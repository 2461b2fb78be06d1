using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Accounts;

/// <summary>How an import changes subjects on their way into another account. Validated.</summary>
/// <remarks>Immutable and thread-safe. Source: nats-server, imports of accounts.</remarks>
internal sealed class ImportPath
{
    /// <summary>The problem of an invalid subject.</summary>
    public const string InvalidSubject = "sublist: invalid subject";

    private ImportPath(string from, string to, SubjectTransform? transform, bool keepsSubject)
        => (From, To, Transform, KeepsSubject) = (from, to, transform, keepsSubject);

    /// <summary>The subject or pattern of incoming messages: for a stream the exporting account's, for a service the importing account's.</summary>
    public string From { get; }

    /// <summary>The subject or template in the other account.</summary>
    public string To { get; }

    /// <summary>Transforms <see cref="From"/> to <see cref="To"/>; null when every subject becomes <see cref="To"/>, or stays as it is.</summary>
    public SubjectTransform? Transform { get; }

    /// <summary>Whether each subject stays as it is.</summary>
    public bool KeepsSubject { get; }

    /// <summary>Prepares an import.</summary>
    /// <param name="import">The import.</param>
    /// <param name="problem">The problem in nats-server's words.</param>
    /// <returns>Null when the import is invalid.</returns>
    public static ImportPath? Create(ImportOptions import, out string? problem)
        => import.Type == ExportType.Stream ? CreateStream(import, out problem) : CreateService(import, out problem);

    /// <summary>The subject or pattern in the importing account, as configured.</summary>
    public static string LocalSubject(ImportOptions import)
    {
        if (!string.IsNullOrEmpty(import.Prefix)) return import.Prefix.EndsWith('.') ? import.Prefix + import.Subject : $"{import.Prefix}.{import.Subject}";
        return string.IsNullOrEmpty(import.To) ? import.Subject : import.To;
    }

    private static ImportPath? CreateStream(ImportOptions import, out string? problem)
    {
        problem = InvalidSubject;
        var (from, to) = (import.Subject, LocalSubject(import));
        if (!IsValid(from) || !IsValid(to)) return null;
        if (!HasWildcard(from)) return Succeed(new ImportPath(from, to, null, keepsSubject: false), out problem);
        if (to == from) return Succeed(new ImportPath(from, to, null, keepsSubject: true), out problem);
        if (!SubjectTransform.TryCreateReversible(from, TransformToken.WithPlaceholders(to), out var transform, out var why))
        {
            problem = $"failed to create mapping transform for stream import subject from {GoQuote.Quote(from)} to {GoQuote.Quote(to)}: {why}";
            return null;
        }
        return Succeed(new ImportPath(from, TransformToken.WithWildcards(to), transform, keepsSubject: false), out problem);
    }

    private static ImportPath? CreateService(ImportOptions import, out string? problem)
    {
        problem = InvalidSubject;
        var (from, to) = (LocalSubject(import), import.Subject);
        if (!IsValid(from) || !IsValid(to)) return null;
        if (!HasWildcard(to)) return Succeed(new ImportPath(from, to, null, keepsSubject: false), out problem);
        if (to == from) return Succeed(new ImportPath(from, to, null, keepsSubject: true), out problem);
        var pattern = TransformToken.WithWildcards(to);
        // The other way round: only the template may contain functions, and here the importing account's subject does.
        if (!SubjectTransform.TryCreateReversible(pattern, TransformToken.WithPlaceholders(from), out var reverse, out var why) || reverse.Reverse() is not { } transform)
        {
            problem = $"failed to create mapping transform for service import subject from {GoQuote.Quote(from)} to {GoQuote.Quote(pattern)}: {why}";
            return null;
        }
        return Succeed(new ImportPath(TransformToken.WithWildcards(from), pattern, transform, keepsSubject: false), out problem);
    }

    private static ImportPath Succeed(ImportPath path, out string? problem)
    {
        problem = null;
        return path;
    }

    private static bool IsValid(string subject) => Subject.IsValid(Encoding.UTF8.GetBytes(subject));

    private static bool HasWildcard(string subject) => Subject.HasWildcard(Encoding.UTF8.GetBytes(subject));
}
