using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Model;

namespace Postrider.UnitTests.Broker.JetStream.Model;

/// <summary>The code of the API errors is written from their data file. To write it again after changing the data, set
/// POSTRIDER_WRITE=1 and run this class.</summary>
public sealed class ApiErrorsTests
{
    [Fact]
    public void The_code_says_what_the_data_file_says()
    {
        var folder = Checkout.PathOf("src", "Postrider.Broker", "JetStream", "Model");
        using var data = JsonDocument.Parse(File.ReadAllText(Path.Combine(folder, "ApiErrors.json")));
        var code = Path.Combine(folder, "ApiErrors.cs");
        var rendered = Render(data.RootElement);
        if (Environment.GetEnvironmentVariable("POSTRIDER_WRITE") == "1")
        {
            File.WriteAllText(code, rendered);
        }

        Assert.Equal(rendered, File.ReadAllText(code));
    }

    [Fact]
    public void There_are_227_with_different_codes()
    {
        Assert.Equal(227, ApiErrors.All.Count);
        Assert.Equal(227, ApiErrors.All.Select(e => e.ErrorCode).Distinct().Count());
        Assert.Equal(171, ApiErrors.All.Count(e => e.Code == 400));
        Assert.Equal(34, ApiErrors.All.Count(e => e.Code == 500));
        Assert.Equal(12, ApiErrors.All.Count(e => e.Code == 503));
    }

    [Fact]
    public void Parts_in_braces_are_filled_in()
    {
        var error = ApiErrors.All.First(e => e.Description.Contains("{err}", StringComparison.Ordinal));

        Assert.DoesNotContain("{err}", error.With("err", "why").Description, StringComparison.Ordinal);
        Assert.Equal(error.ErrorCode, error.With("err", "why").ErrorCode);
    }

    [Theory]
    [InlineData(10003, 400, "bad request")]
    [InlineData(10014, 404, "consumer not found")]
    [InlineData(10037, 404, "no message found")]
    [InlineData(10059, 404, "stream not found")]
    [InlineData(10071, 400, "wrong last sequence: {seq}")]
    public void Well_known_errors(int errorCode, int code, string description)
        => Assert.Equal(new ApiError(code, errorCode, description), ApiErrors.All.Single(e => e.ErrorCode == errorCode));

    private static string Render(JsonElement errors)
    {
        var text = new StringBuilder();
        text.Append(
            """
            // Written from ApiErrors.json: ApiErrorsTests says how, and fails when they differ.
            namespace Postrider.Broker.JetStream.Model;

            /// <summary>Every error of the JetStream API, with nats-server's codes and texts.</summary>
            /// <remarks>Source: nats-server, its list of JetStream errors. Words in braces are filled in with <see cref="ApiError.With"/>.</remarks>
            internal static class ApiErrors
            {

            """);
        text.Append(CultureInfo.InvariantCulture, $"    private static readonly List<ApiError> Entries = new({errors.GetArrayLength()});\n\n");
        foreach (var error in errors.EnumerateArray())
        {
            var description = error.GetProperty("description").GetString()!.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal);
            text.Append(CultureInfo.InvariantCulture, $"    public static readonly ApiError {error.GetProperty("name").GetString()} = Add({error.GetProperty("code").GetInt32()}, {error.GetProperty("err_code").GetInt32()}, \"{description}\");\n");
        }

        text.Append(
            """

                /// <summary>All errors, by error code.</summary>
                public static IReadOnlyList<ApiError> All => Entries;

                private static ApiError Add(int code, int errorCode, string description)
                {
                    var error = new ApiError(code, errorCode, description);
                    Entries.Add(error);
                    return error;
                }
            }

            """);
        return text.ToString();
    }
}
