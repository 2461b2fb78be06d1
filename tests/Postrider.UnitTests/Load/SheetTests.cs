using Postrider.Load.Reports;

namespace Postrider.UnitTests.Load;

public class SheetTests
{
    [Fact]
    public void Throughput_is_judged_ours_by_peer_and_cpu_peer_by_ours()
    {
        var sheet = new Sheet("table", "ours", "peer");
        foreach (var value in (double[])[90, 100, 300])
            sheet.Add("row", "Row", 16, Metric.Throughput, "ours", value);
        sheet.Add("row", "Row", 16, Metric.Throughput, "peer", 50);
        sheet.Add("row", "Row", 16, Metric.ServerCpu, "ours", 20);
        sheet.Add("row", "Row", 16, Metric.ServerCpu, "peer", 100);
        sheet.Target("row", Metric.Throughput, Rule.RatioAtLeast, 2);
        sheet.Target("row", Metric.ServerCpu, Rule.RatioAtLeast, 5.5);

        var lines = sheet.Lines().Where(line => line.Subject == "ours").ToDictionary(line => line.Unit);

        Assert.Equal((100.0, 2.0, true), (lines["msg/s"].Value, lines["msg/s"].Ratio, lines["msg/s"].Holds));
        Assert.Equal((5.0, false), (lines["server CPU ns/msg"].Ratio, lines["server CPU ns/msg"].Holds));
        Assert.Equal((90.0, 300.0, 3, 2.1), (lines["msg/s"].Min, lines["msg/s"].Max, lines["msg/s"].N, lines["msg/s"].Spread));
    }

    [Fact]
    public void A_latency_target_is_an_upper_limit_of_the_ratio()
    {
        var sheet = new Sheet("table", "ours", "peer");
        sheet.Add("row", "Row", 16, Metric.P99, "ours", 76);
        sheet.Add("row", "Row", 16, Metric.P99, "peer", 100);
        sheet.Target("row", Metric.P99, Rule.RatioAtMost, 0.75);

        Assert.False(sheet.Lines().Single(line => line.Subject == "ours").Holds);
    }

    [Fact]
    public void Without_the_peer_there_is_neither_ratio_nor_judgement()
    {
        var sheet = new Sheet("table", "ours", "peer");
        sheet.Add("row", "Row", 16, Metric.Throughput, "ours", 100);
        sheet.Target("row", Metric.Throughput, Rule.RatioAtLeast, 2);

        var line = Assert.Single(sheet.Lines());

        Assert.Null(line.Ratio);
        Assert.Null(line.Holds);
        Assert.Equal(2, line.Target);
    }

    [Fact]
    public void A_line_reads_back_from_its_json_as_it_was()
    {
        var sheet = new Sheet("table", "ours", "peer");
        sheet.Add("row", "Row ≥ 1", 16, Metric.Throughput, "ours", 123_456.789);
        sheet.Add("row", "Row ≥ 1", 16, Metric.Throughput, "peer", 50);
        sheet.Target("row", Metric.Throughput, Rule.RatioAtLeast, 2);
        var line = sheet.Lines()[0];

        Assert.Equal(line, ResultLine.Parse(line.ToJson()));
        Assert.Contains("\"peer_value\":50,\"ratio\":2469.136,\"target\":2,\"rule\":\"ratio_at_least\",\"holds\":true", line.ToJson());
    }
}
