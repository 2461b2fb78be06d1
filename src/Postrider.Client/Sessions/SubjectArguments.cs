using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Postrider.Client.Sessions;

/// <summary>Checks the arguments of control lines: a blank or a line end in a subject would start another argument or frame.</summary>
internal static class SubjectArguments
{
    private static readonly SearchValues<char> Forbidden = SearchValues.Create(" \t\r\n\0\f");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CheckPublishSubject(string subject)
    {
        if (string.IsNullOrEmpty(subject) || subject.AsSpan().ContainsAny(Forbidden)) Throw("Subject", subject);
    }

    public static void CheckSubscribeSubject(string subject)
    {
        CheckPublishSubject(subject);
        if (Wire.Frames.Subject.IsValid(System.Text.Encoding.UTF8.GetBytes(subject))) return;
        if (subject.Split('.').Contains("")) Throw("Subject", subject);
        throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Subject '{subject}' has a '>' before its end. The wildcard '>' must be the last token.");
    }

    public static void CheckQueueGroup(string? queueGroup)
    {
        if (queueGroup is not null && (queueGroup.Length == 0 || queueGroup.AsSpan().ContainsAny(Forbidden))) Throw("Queue group", queueGroup);
    }

    [DoesNotReturn]
    private static void Throw(string what, string? value)
        => throw new NatsClientException(NatsErrorCode.InvalidArgument, $"{what} '{value}' is empty, has an empty token or contains whitespace.");
}
