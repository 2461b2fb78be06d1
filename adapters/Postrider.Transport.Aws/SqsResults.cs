using System.Globalization;
using Amazon.SQS.Model;

namespace Postrider.Transport.Aws;

/// <summary>The results of the items of a batch.</summary>
internal static class SqsResults
{
    /// <summary>An error for each item; null for success. An item that is not in the response has failed.</summary>
    internal static Exception?[] Of(int count, IEnumerable<string>? successful, IEnumerable<BatchResultErrorEntry>? failed)
        => Of(count, successful, failed?.Select(static entry => (entry.Id, (string?)entry.Code, (string?)entry.Message, entry.SenderFault ?? false)));

    /// <inheritdoc cref="Of(int, IEnumerable{string}?, IEnumerable{BatchResultErrorEntry}?)"/>
    internal static Exception?[] Of(int count, IEnumerable<string>? successful, IEnumerable<(string Id, string? Code, string? Message, bool IsSenders)>? failed)
    {
        var errors = new Exception?[count];
        for (var i = 0; i < count; i++)
            errors[i] = AwsErrors.OfItem("InternalFailure", "The response does not contain the result of the message", isSenders: false);
        foreach (var id in successful ?? [])
        {
            if (TryIndex(id, count, out var i))
                errors[i] = null;
        }

        foreach (var (id, code, message, isSenders) in failed ?? [])
        {
            if (TryIndex(id, count, out var i))
                errors[i] = AwsErrors.OfItem(code, message, isSenders);
        }

        return errors;
    }

    private static bool TryIndex(string? id, int count, out int index) => int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out index) && index < count;
}
